"""The catalogue of findings: the kinds of the simulator's reports. Its C++, the grader's verdicts and
words, and findings.md are derived from it.

name        the kind, as a report begins with it
look_for    what people look for in their program
is_warning  it neither ends the program nor changes its exit status, and gets no verdict
verdict     what the grader makes of it; default runtime_error
sentence    what students are told; default the words of the verdict, for a runtime_error one
            sentence for all kinds
next_step   what students do next; stands with a sentence
label       a title in place of the verdict's

Only literals may stand here, because Python reads this file, too.
"""

FINDINGS = [
    {
        "name": "out_of_bounds",
        "look_for": "an index past the end or before the start: the guard `if (i < n)`, `<=` for `<`, a wrong size in cudaMalloc or cudaMemcpy. Also an index beyond a row of an array (`tile[0][i]` may run over all rows) or beyond a thread's own array, and a copy over the end of a host variable, malloc() or new",
        "verdict": "out_of_bounds",
    },
    {
        "name": "use_after_free",
        "look_for": "memory used or freed after cudaFree; the report has both lines",
        "verdict": "out_of_bounds",
        "sentence": "Your code used memory after it was freed.",
        "next_step": "Free it after the last use: work that a stream still has to do counts as a use.",
    },
    {
        "name": "host_pointer",
        "look_for": "a kernel got a pointer to host memory, a reference, or the name of a `__device__` or `__constant__` variable as an argument, or reads a host variable that lacks `__device__`",
        "verdict": "out_of_bounds",
        "sentence": "A kernel used the address of host memory, which a GPU cannot access.",
        "next_step": "Pass kernels addresses of device memory, and everything else by value.",
    },
    {
        "name": "device_pointer_on_host",
        "look_for": "host code reads or writes memory from cudaMalloc",
        "verdict": "out_of_bounds",
        "sentence": "Host code used the address of device memory, which a CPU cannot access.",
        "next_step": "Copy the data with cudaMemcpy(), or access it in a kernel.",
    },
    {
        "name": "invalid_argument",
        "look_for": "a copy in the wrong direction (between two device pointers any kind copies, as on a GPU), the name of a `__device__` variable as an address, a free of memory that was not allocated, temporary storage for CUB that is too small",
    },
    {
        "name": "deadlock",
        "look_for": "threads wait for others that never come: a barrier or a warp's collective that some threads skip; the report lists where each waits",
        "verdict": "deadlock",
    },
    {
        "name": "warp_invalid_mask",
        "look_for": "a warp's collective got a mask that does not name the caller",
        "verdict": "barrier_divergence",
        "label": "wrong mask or lane",
        "sentence": "A shuffle, a vote or __syncwarp() named lanes that did not take part in it.",
        "next_step": "Pass a mask that names the calling lane, too: 0xffffffff where all 32 lanes make the call, else what __ballot_sync() says of the branch's condition in front of the branch.",
    },
    {
        "name": "warp_divergence",
        "look_for": "lanes of one mask wait in different operations, say a shuffle and a vote",
        "verdict": "barrier_divergence",
        "label": "wrong mask or lane",
        "sentence": "A shuffle, a vote or __syncwarp() named lanes that did not take part in it.",
        "next_step": "Let all lanes that the mask names make the same call: move it out of the branch or the loop, or pass a mask of those lanes only that get there.",
    },
    {
        "name": "warp_undefined_lane",
        "look_for": "a shuffle takes the value of a lane that is not in the mask, has returned or does not exist",
        "verdict": "barrier_divergence",
        "label": "wrong mask or lane",
        "sentence": "A shuffle, a vote or __syncwarp() named lanes that did not take part in it.",
        "next_step": "Check the lane that the value comes from: it must be in the mask, within the width, and still running; in a block whose size is no multiple of 32 the last warp is not full.",
    },
    {
        "name": "invalid_barrier",
        "look_for": "a `cuda::barrier`, `cuda::latch` or semaphore with a wrong count: more arrivals than it was initialised with, below zero, above the maximum; with too few arrivals it is a `livelock`",
    },
    {
        "name": "invalid_copy",
        "look_for": "`__pipeline_memcpy_async` or `cp.async` of a size or alignment that the hardware lacks",
    },
    {
        "name": "invalid_matrix",
        "look_for": "wmma, `mma.sync` or `ldmatrix`: not all lanes make the call alike, a fragment that nothing has set, a misaligned address or stride",
    },
    {
        "name": "invalid_grid_sync",
        "look_for": "`grid.sync()` in an ordinary launch",
    },
    {
        "name": "invalid_cluster",
        "look_for": "the barrier of a cluster: two arrivals without a wait between, a wait without an arrival; `map_shared_rank()` of an address outside shared memory or to a rank that does not exist",
    },
    {
        "name": "shared_memory_lifetime",
        "look_for": "an access to shared memory of another block of the cluster that may not have begun or may have returned: `cluster.sync()` is missing before the first such access or after the last",
        "verdict": "data_race",
    },
    {
        "name": "data_race",
        "look_for": "two threads, one writes, nothing orders them: a barrier, an atomic operation or a second launch is missing; or `__ldg()`, which no barrier and no fence orders, reads what the same launch has written",
        "verdict": "data_race",
    },
    {
        "name": "missing_synchronisation",
        "look_for": "two streams, two nodes of a graph, a grid and one that it launches, two of its launches, or a stream and the host, use the same memory and nothing makes one wait: an event, a dependence, or a cudaStreamSynchronize before the host reads pinned or managed memory or uses it again",
        "verdict": "data_race",
        "sentence": "Two streams, or a stream and the host, used the same memory, and neither waited for the other.",
        "next_step": "Put both into one stream, or wait between them: cudaStreamWaitEvent() between streams, cudaStreamSynchronize() on the host.",
    },
    {
        "name": "child_argument",
        "look_for": "a kernel passes a pointer to its shared or local memory to a grid that it launches, which has its own",
    },
    {
        "name": "call_in_host_function",
        "look_for": "a host function of a stream (`cudaLaunchHostFunc`) calls the CUDA runtime, which CUDA forbids: the call fails or waits for ever",
    },
    {
        "name": "stale_texture_read",
        "look_for": "a texture fetch or a surface read of memory that the same launch has written: the texture cache may not have it; read in the next launch",
        "verdict": "data_race",
    },
    {
        "name": "misaligned",
        "look_for": "an access whose address is no multiple of its type's alignment: 16 bytes for `float4`, 8 for `float2` and `double`. In a thread's own memory only 16 bytes count. Also a surface access whose x, which is in bytes, is no multiple of the element's size",
        "verdict": "out_of_bounds",
        "sentence": "Your code accessed a whole vector or word at an address that is no multiple of its size.",
        "next_step": "Let each access of a float4 and the like begin at a multiple of its size in bytes, rows of a tile included, and access the first and last elements one at a time.",
    },
    {
        "name": "missing_return",
        "look_for": "a function that returns a value ended without `return`",
    },
    {
        "name": "uninitialised_read",
        "look_for": "a read of device or shared memory that was never written; reported at the end of the launch, unless a race explains it",
        "verdict": "uninitialised_read",
    },
    {
        "name": "livelock",
        "look_for": "all remaining threads poll memory that none of them changes: a flag never set, a lock never released, a count never reached",
        "verdict": "time_limit",
    },
    {
        "name": "barrier_divergence",
        "look_for": "some threads of a block wait at `__syncthreads()`, others returned or wait at another one",
        "verdict": "barrier_divergence",
    },
    {
        "name": "invalid_launch",
        "look_for": "a grid or block that is empty or too large",
    },
    {
        "name": "null_pointer",
        "look_for": "the kernel reads, writes, copies from or to, or calls through a null pointer",
    },
    {
        "name": "invalid_address",
        "look_for": "the kernel hit an address that is not mapped",
    },
    {
        "name": "stack_overflow",
        "look_for": "recursion that is too deep, or local arrays that are too large",
    },
    {
        "name": "exception",
        "look_for": "a C++ exception left the kernel",
    },
    {
        "name": "endless_kernel",
        "look_for": "no thread of the launch has returned or reached a barrier for a minute of CPU time: a loop that never ends",
        "verdict": "time_limit",
    },
    {
        "name": "assertion",
        "look_for": "an `assert` failed in a kernel",
    },
    {
        "name": "trap",
        "look_for": "a kernel called `__trap()`",
    },
    {
        "name": "lost_update",
        "look_for": "a thread reads a word and writes it, atomically each, not together; another one has changed it in between, and its update is lost. The exit status is unaffected, see [Schedules](README.md#schedules)",
        "is_warning": True,
    },
    {
        "name": "stale_look",
        "look_for": "the same, where the second write may do no harm: it writes the same value, or adds. Only printed where it may explain something: if a race is found, or the program's exit status is not 0",
        "is_warning": True,
    },
    {
        "name": "missing_acquire",
        "look_for": "a thread counts arrivals with an atomic, is the last one, and reads what the others have written without a fence; see [Memory model](README.md#memory-model). The exit status is unaffected",
        "is_warning": True,
    },
    {
        "name": "leak",
        "look_for": "at the end of the program, what was never released: host or device memory, arrays, streams, events, graphs, texture objects, pools, registrations. The exit status is unaffected",
        "is_warning": True,
    },
    {
        "name": "unchecked_error",
        "look_for": "an API call failed, its result was discarded and cudaGetLastError() was not called either. The exit status is unaffected",
        "is_warning": True,
    },
    {
        "name": "never_waited",
        "look_for": "the program ended without waiting for this launch or copy. It runs at exit, so that its bugs are found",
        "is_warning": True,
    },
]
