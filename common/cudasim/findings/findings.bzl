"""The catalogue of findings: the kinds of the simulator's reports. Its C++, the grader's verdicts and
words, and findings.md are derived from it. A key is the kind, as a report begins with it.

look_for    what people look for in their program
is_warning  it neither ends the program nor changes its exit status, and gets no verdict
verdict     what the grader makes of it; default runtime_error
sentence    what students are told; default the words of the verdict, for a runtime_error one
            sentence for all kinds
next_step   what students do next; stands with a sentence
label       a title in place of the verdict's
says        the sentences of a report's first line, behind the kind
adds        those of the lines below, beside COMMON's

A sentence is text with holes: {n} a number, {s} one with a sign, {i} an index "(1, 0, 0)", {mask},
{place} a file's line, {name} of a kernel, function or variable, {type} as compilers write it,
{quoted} text of the source; {a|b} one of several; and the PHRASES. Graders say a report anew by
these, since the process that sends it may be the student's: what is no sentence is left out.

Only literals may stand here, because Python reads this file, too.
"""

PHRASES = {
    "access": ["{verb} of {bytes}"],
    "alloc": ["the {n}-byte {owner}", "the {n}-byte {owner}, freed at {place}"],
    "array": ["the {|layered |cubemap |layered cubemap }array of {n} bytes by {n} rows by {n} slices"],
    "bytes": ["{n} {byte|bytes}"],
    "call": ["{name} at {place}"],
    "child": ["in the grid that launched it", "in another child of the grid"],
    "deed": ["{reads|writes} at {place}"],
    "element": ["index {s} of an array of {n}"],
    "faulted": ["kernel {name}, {thread}, {place}: "],
    "host": ["a pointer to {read-only host data|a host global variable|a host local variable|host memory (new, malloc, std::vector)}"],
    "in_kernel": ["kernel {name}, {place}: "],
    "launched": ["kernel {name} launched at {place}"],
    "memory": ["{shared}{of_block}", "index {n} of {n} in {alloc}", "index {n} of {name} ({__constant__|__device__|__managed__})", "a {__constant__|__device__|__managed__} variable", "device memory"],
    "offset": ["{right|{bytes}} past the end of {alloc}", "{bytes} before the start of {alloc}", "{bytes} too far, over the end of {alloc}", "byte {n} of {alloc}"],
    "of_block": ["", " of block {i}"],
    "operation": ["{__syncwarp|__shfl_sync|__shfl_up_sync|__shfl_down_sync|__shfl_xor_sync|__ballot_sync|__any_sync|__all_sync|__match_any_sync|__match_all_sync|__reduce_add_sync|__reduce_min_sync|__reduce_max_sync|__reduce_and_sync|__reduce_or_sync|__reduce_xor_sync|__activemask}()", "{sync() of a group|cooperative groups' reduce or scan|a matrix operation}"],
    "origin": ["{call}", "{launched}"],
    "owner": ["allocation made at {place}", "{parameter}"],
    "parameter": ["{Device|Pinned|Managed}{Span<T>|Span<const T>} passed to the function"],
    "role": ["{destination|source|memory}"],
    "shared": ["index {n} of {name} (__shared__, {n} {element|elements}, {place})", "index {n} of the dynamic shared memory of {bytes}", "shared memory"],
    "target": ["{dynamic shared|shared|device} memory", "a __device__ variable", "{alloc}", "{parameter}"],
    "thread": ["thread {i} of block {i}"],
    "threads": ["{n} {thread|threads}"],
    "use": ["{reads|writes|allocates|frees}"],
    "verb": ["{read|write|atomic update}"],
    "waits": ["{threads} {wait|waits} in {what} at {place}: thread {i}{| and others}"],
    "what": ["{__syncthreads()|grid.sync()|the cluster's barrier}", "{operation} of the lanes {mask}"],
    "where": ["in another {stream|node of the graph}"],
}

COMMON = [
    "{thread}{|, lane {n}}",
    "{thread}: {access}{| at {place}}",
    "{thread}: {read|write|atomic or volatile write|asynchronous copy} at {place}",
    "memory: {{memory}|{alloc}|{parameter}}",
    "launched at {place} with grid {i} and block {i}",
    "{|the other: }{origin}",
    "before, the test made runtime call number {n}, {{name}|a kernel launch}, fail: is every call's result checked?",
]

ADVICE = [
    "{loads from|stores to} {{name}[]|{target}} touch {n} sectors where {n} would do: {neighbouring threads {read|write} addresses {in no regular order|{bytes} apart}|only {n} of 32 lanes take part, and not side by side|the first thread's address is not a multiple of 32 bytes}",
    "{{name}{|[][{n}]}|{target}}: up to {n} lanes hit one bank when they {read|write}, {n} on average: {pad the row to {n}|their addresses follow no regular order|neighbouring threads {read|write} addresses {bytes} apart}",
    "atomics on {{name}|{target}}: {n} of {n} lanes update the same address, one after another: {give each warp its own copy, or add up in registers first|add up in shared memory or registers first, then update once for each block}",
    "divergence: at {n} of {n} branches the lanes of a warp diverge, and each side runs alone: let whole warps take the same side",
    "occupancy: {n} % of a multiprocessor's warps: {{bytes} of shared memory leave room for {n} blocks|blocks of {threads}, of which at most {n} fit: use larger blocks}",
    "parallelism: one thread does {n} % of the work, and the others wait for it or have returned: share the work out",
    "parallelism: work / span is {n} with {n} threads: most of them wait, or return while a few go on: share the work out evenly",
    "parallelism: work / span is {n}, so no more of the GPU's {n} lanes can be busy on average: launch more threads that each do less",
]

COPIES = [
    "stores of the host: kernels never wrote them",
    "{the launch or the kernel|store by the host|stores of the host|{name}}{| at {place}}{|, as kernels read there what no input holds}",
]

FINDINGS = {
    "out_of_bounds": {
        "look_for": "an index past the end or before the start: the guard `if (i < n)`, `<=` for `<`, a wrong size in cudaMalloc or cudaMemcpy. Also an index beyond a row of an array (`tile[0][i]` may run over all rows) or beyond a thread's own array, and a copy over the end of a host variable, malloc() or new",
        "verdict": "out_of_bounds",
        "says": ["{in_kernel}{access} at {element}: {offset}", "{in_kernel}{access} of {device memory that was never allocated|another thread's local variables|shared memory of a block of another cluster}", "{in_kernel}{access} of shared memory at {{shared}{of_block}{| that the launch asked for}|an address in front of every variable}", "{in_kernel}{access} to __constant__ memory, which kernels only read", "{in_kernel}{read|write|access} of {type} beyond a local variable or array of the thread", "{{in_kernel}|host code at {place}: }index {s}{| of an array of {n}} ({type})", "{in_kernel}surface {read|write} of {bytes} at byte {s} of row {s} of slice {s}: outside of {array}", "{faulted}{call|read|write} {of no allocation|{offset}}", "{call}: the {role} of {bytes} {reaches {offset}|is host memory of {bytes}{|, allocated at {place}}}"],
        "adds": ["compare the index with the array's size", "an index beyond a row lies in the next row, or in another variable", "the third argument is a number of bytes, and both sides must have as many"],
    },
    "use_after_free": {
        "look_for": "memory used or freed after cudaFree; the report has both lines",
        "verdict": "out_of_bounds",
        "sentence": "Your code used memory after it was freed.",
        "next_step": "Free it after the last use: work that a stream still has to do counts as a use.",
        "says": ["{in_kernel}{access} at {element}: in {alloc}", "{in_kernel}surface {read|write} of {bytes} in an array that is freed", "{in_kernel}texture fetch of memory that is freed: {alloc}", "{faulted}{call|read|write} {offset}", "{call} of memory that is freed already: {alloc}", "{call}: the {role} of {bytes} reaches {offset}"],
    },
    "host_pointer": {
        "look_for": "a kernel got a pointer to host memory, a reference, or the name of a `__device__` or `__constant__` variable as an argument, or reads a host variable that lacks `__device__`",
        "verdict": "out_of_bounds",
        "sentence": "A kernel used the address of host memory, which a GPU cannot access.",
        "next_step": "Pass kernels addresses of device memory, and everything else by value.",
        "says": ["{in_kernel}{access} through {host}: kernels reach device memory only", "{launched}: {argument {name}|an argument} is the name of {name}, which on the host is not the address of the variable on the device"],
        "adds": ["use {name} in the kernel itself, or ask cudaGetSymbolAddress() for its address"],
    },
    "device_pointer_on_host": {
        "look_for": "host code reads or writes memory from cudaMalloc",
        "verdict": "out_of_bounds",
        "sentence": "Host code used the address of device memory, which a CPU cannot access.",
        "next_step": "Copy the data with cudaMemcpy(), or access it in a kernel.",
        "says": ["host code at {place}: {access} through a device pointer{|, {offset}}"],
        "adds": ["copy with cudaMemcpy; host code cannot reach device memory"],
    },
    "invalid_argument": {
        "look_for": "a copy in the wrong direction (between two device pointers any kind copies, as on a GPU), the name of a `__device__` variable as an address, a free of memory that was not allocated, temporary storage for CUB that is too small",
        "says": ["{in_kernel}cudaStreamCreateWithFlags() makes a blocking stream, which device code has not", "{in_kernel}{surface {read|write} of {bytes}|texture fetch} by a function for another kind of array than {{array}|linear memory}", "{call} of a pointer that {malloc or new in a kernel|cudaMallocHost or cudaHostAlloc|cudaMalloc} did not return", "{call} of {memory of another kind: {alloc}|a pointer into the middle of memory: {offset}}", "{call}: the {role} must be {device memory but is {null|a host pointer}|host memory but is a device pointer}", "{call}: the {role} is the name of {name}, which on the host is not the address of the variable on the device", "{call}: temporary storage of {bytes}, needed are {n}"],
        "adds": ["next: pass cudaStreamNonBlocking", "the kind of the copy may be the wrong way round", "use cudaMemcpyToSymbol() or cudaMemcpyFromSymbol(), or ask cudaGetSymbolAddress()", "ask for the size with the same arguments and a null pointer, then allocate that much"],
    },
    "deadlock": {
        "look_for": "threads wait for others that never come: a barrier or a warp's collective that some threads skip; the report lists where each waits",
        "verdict": "deadlock",
        "says": ["{in_kernel}{threads} of block {i} {wait|waits} in {what} for others that never come"],
        "adds": ["{waits}", "{threads} of the block returned", "block {i} of the cluster: {all threads returned|{waits}}", "{n} of {n} blocks returned"],
    },
    "warp_invalid_mask": {
        "look_for": "a warp's collective got a mask that does not name the caller",
        "verdict": "barrier_divergence",
        "label": "wrong mask or lane",
        "sentence": "A shuffle, a vote or __syncwarp() named lanes that did not take part in it.",
        "next_step": "Pass a mask that names the calling lane, too: 0xffffffff where all 32 lanes make the call, else what __ballot_sync() says of the branch's condition in front of the branch.",
        "says": ["{in_kernel}{operation} with mask {mask}, which lacks the caller's own lane {n}"],
        "adds": ["a thread may only pass masks that name itself"],
    },
    "warp_divergence": {
        "look_for": "lanes of one mask wait in different operations, say a shuffle and a vote",
        "verdict": "barrier_divergence",
        "label": "wrong mask or lane",
        "sentence": "A shuffle, a vote or __syncwarp() named lanes that did not take part in it.",
        "next_step": "Let all lanes that the mask names make the same call: move it out of the branch or the loop, or pass a mask of those lanes only that get there.",
        "says": ["{in_kernel}{operation} reached while other lanes of its mask {mask} wait in {operation} at {place}"],
        "adds": ["all lanes that a mask names must make the same call"],
    },
    "warp_undefined_lane": {
        "look_for": "a shuffle takes the value of a lane that is not in the mask, has returned or does not exist",
        "verdict": "barrier_divergence",
        "label": "wrong mask or lane",
        "sentence": "A shuffle, a vote or __syncwarp() named lanes that did not take part in it.",
        "next_step": "Check the lane that the value comes from: it must be in the mask, within the width, and still running; in a block whose size is no multiple of 32 the last warp is not full.",
        "says": ["{in_kernel}{operation} takes the value of lane {n}, which {is not in the mask {mask}|the block does not have: the last warp is not full|has returned}"],
        "adds": ["on a GPU the value is undefined"],
    },
    "invalid_barrier": {
        "look_for": "a `cuda::barrier`, `cuda::latch` or semaphore with a wrong count: more arrivals than it was initialised with, below zero, above the maximum; with too few arrivals it is a `livelock`",
        "says": ["{in_kernel}{a barrier is initialised with a count of arrivals that is not possible|more threads arrive at a barrier than its phase expects|a latch is counted down below zero|a semaphore is released above its maximum}"],
        "adds": ["each phase takes 1 to 1048575 arrivals", "the count that initialised it must be that of the arrivals in a phase", "its count must be that of all arrivals: a latch serves once", "release as often as acquired"],
    },
    "invalid_copy": {
        "look_for": "`__pipeline_memcpy_async` or `cp.async` of a size or alignment that the hardware lacks",
        "says": ["{in_kernel}an asynchronous copy {of a size that is not possible|between misaligned addresses}"],
        "adds": ["it copies 4, 8 or 16 bytes", "both must be multiples of the number of bytes"],
    },
    "invalid_matrix": {
        "look_for": "wmma, `mma.sync` or `ldmatrix`: not all lanes make the call alike, a fragment that nothing has set, a misaligned address or stride",
        "says": ["{in_kernel}{ldmatrix gets a misaligned address|a fragment is used that nothing has filled or loaded|the address of a matrix is misaligned|the distance between rows or columns of a matrix is misaligned|a matrix operation of a warp that not all of its lanes reach|lanes of a warp make different calls of a matrix operation}"],
        "adds": ["each row must begin at a multiple of 16 bytes", "call fill_fragment() or load_matrix_sync() first", "it must be a multiple of {32|16} bytes", "all 32 lanes must make the call, with the same arguments"],
    },
    "invalid_grid_sync": {
        "look_for": "`grid.sync()` in an ordinary launch",
        "says": ["{in_kernel}grid.sync() in a launch that is not cooperative"],
        "adds": ["launch the kernel with cudaLaunchCooperativeKernel()"],
    },
    "invalid_cluster": {
        "look_for": "the barrier of a cluster: two arrivals without a wait between, a wait without an arrival; `map_shared_rank()` of an address outside shared memory or to a rank that does not exist",
        "says": ["{in_kernel}{a thread arrives twice at the cluster's barrier without a wait between|a thread waits at the cluster's barrier without having arrived|{map|query}_shared_rank() of an address outside shared memory|map_shared_rank() with a rank that no block of the cluster has}"],
        "adds": ["each barrier_arrive() needs a barrier_wait() before the next arrival", "call barrier_arrive() first", "give it {the address of a __shared__ variable|an address in shared memory of the cluster}", "ranks are 0 to num_blocks() - 1; launch the kernel with a cluster dimension"],
    },
    "shared_memory_lifetime": {
        "look_for": "an access to shared memory of another block of the cluster that may not have begun or may have returned: `cluster.sync()` is missing before the first such access or after the last",
        "verdict": "data_race",
        "says": ["{in_kernel}{verb} of shared memory of block {i}, which may {have returned by then|not have begun yet}"],
        "adds": ["shared memory ends with its block: call cluster.sync() after the last access", "shared memory begins with its block: call cluster.sync() before the access"],
    },
    "data_race": {
        "look_for": "two threads, one writes, nothing orders them: a barrier, an atomic operation or a second launch is missing; or `__ldg()`, which no barrier and no fence orders, reads what the same launch has written",
        "verdict": "data_race",
        "says": ["{in_kernel}{verb} of {shared|global} memory races with the {read|write|atomic or volatile write|asynchronous copy} at {place}", "{in_kernel}__ldg() read of memory that the same launch has written at {place}"],
        "adds": [
            "the asynchronous copy may still be under way: nothing has waited for it",
            "an atomic operation of block scope is atomic for its own block only: the scope is too narrow for two blocks",
            "the cluster's barrier does not lie between the two: call cluster.sync()",
            "nothing orders different blocks here: use atomics, or separate launches",
            "two threads write the same element: check its index, or use atomics; in a loop also look at the barriers between rounds",
            "both had passed __syncthreads() at {place}",
            "no __syncthreads(){| or __syncwarp()} lies between the two",
            "{writer|reader}: the flag's atomic operation at {place} has block scope; the scope is too narrow for two blocks",
            "writer: no __threadfence{|_block}() before it sets the flag at {place}",
            "reader: no __threadfence{|_block}() after it has read the flag at {place}",
            "{writer: the fence before it sets|reader: the fence after it has read} the flag at {place} has block scope; the scope is too narrow for two blocks",
            "writer: the fence in front of __syncthreads() covers only what its own thread has written: let each thread that writes call __threadfence() there, or the one that sets the flag behind it",
            "__ldg() reads through the read-only cache, which does not see writes of its own launch, even behind a barrier or a fence: read the variable itself",
        ],
    },
    "missing_synchronisation": {
        "look_for": "two streams, two nodes of a graph, a grid and one that it launches, two of its launches, or a stream and the host, use the same memory and nothing makes one wait: an event, a dependence, or a cudaStreamSynchronize before the host reads pinned or managed memory or uses it again",
        "verdict": "data_race",
        "sentence": "Two streams, or a stream and the host, used the same memory, and neither waited for the other.",
        "next_step": "Put both into one stream, or wait between them: cudaStreamWaitEvent() between streams, cudaStreamSynchronize() on the host.",
        "says": ["{in_kernel}{read|write} of memory that {kernel {name} {deed} {{child}|{where}}|{origin} {use} {where}}", "{origin} {use} memory that {kernel {name} {deed}|{origin} {use}} {where}", "host code at {place}: {read|write} of memory that kernel {name} {deed}", "host code at {place}: {read|write} of {pinned|managed} memory that {kernel {name} {deed}|{origin} {use}}", "the function returned, and {kernel {name} still {deed}|{origin} still {use}} its argument"],
        "adds": [
            "nothing waits for it before the host goes on: call cudaStreamSynchronize, cudaEventSynchronize or cudaDeviceSynchronize",
            "this is in a host function: launch it behind that work, and give each its own argument, unchanged since the launch",
            "no event orders the two streams: call cudaEventRecord after the first, cudaStreamWaitEvent before the second; or give each stream its own buffer",
            "one of them has no stream: <<<blocks, threads, 0, stream>>> gives a launch one",
            "no dependence orders the two nodes: use cudaGraphAddDependencies or, where the graph is captured, cudaEventRecord and cudaStreamWaitEvent; or give each its own buffer",
            "nothing orders the other block with the launch: launch into cudaStreamTailLaunch",
            "a child sees what its launching thread did and knew: call __syncthreads() before the launch",
            "a grid cannot wait for its children, which may run at any time after the launch: move what follows into a kernel that is launched into cudaStreamTailLaunch",
            "nothing orders the two launches: only launches by one block into one stream, not cudaStreamFireAndForget, follow each other; cudaStreamTailLaunch comes after all",
        ],
    },
    "child_argument": {
        "look_for": "a kernel passes a pointer to its shared or local memory to a grid that it launches, which has its own",
        "says": ["{in_kernel}argument {name} of kernel {name} points to {shared|local} memory"],
        "adds": ["a child grid cannot use its parent's {shared|local} memory: pass a value, or a pointer to global memory"],
    },
    "call_in_host_function": {
        "look_for": "a host function of a stream (`cudaLaunchHostFunc`) calls the CUDA runtime, which CUDA forbids: the call fails or waits for ever",
        "says": ["a host function of a stream calls the CUDA runtime at {place}"],
        "adds": ["next: submit the work from the thread that launched the function, or let the function set a flag"],
    },
    "stale_texture_read": {
        "look_for": "a texture fetch or a surface read of memory that the same launch has written: the texture cache may not have it; read in the next launch",
        "verdict": "data_race",
        "says": ["{in_kernel}texture or surface read of memory that the same launch has written at {place}"],
        "adds": ["the texture cache does not see writes of its own launch: read in the next launch"],
    },
    "misaligned": {
        "look_for": "an access whose address is no multiple of its type's alignment: 16 bytes for `float4`, 8 for `float2` and `double`. In a thread's own memory only 16 bytes count. Also a surface access whose x, which is in bytes, is no multiple of the element's size",
        "verdict": "out_of_bounds",
        "sentence": "Your code accessed a whole vector or word at an address that is no multiple of its size.",
        "next_step": "Let each access of a float4 and the like begin at a multiple of its size in bytes, rows of a tile included, and access the first and last elements one at a time.",
        "says": ["{in_kernel}{read|write|access} of {type} at {byte {n} of the dynamic shared memory|byte {n} of {name}{| (__shared__, {place})}|the thread's local memory|{offset}}: its address must be a multiple of {n} bytes, but is {n} past one", "{in_kernel}surface {read|write} of {bytes} at byte {s} of a row"],
        "adds": ["on a GPU the kernel ends there with the error \"misaligned address\""],
    },
    "missing_return": {
        "look_for": "a function that returns a value ended without `return`",
        "says": ["{in_kernel}a function that returns a value ended without return"],
        "adds": ["write return and the value on every path"],
    },
    "uninitialised_read": {
        "look_for": "a read of device or shared memory that was never written; reported at the end of the launch, unless a race explains it",
        "verdict": "uninitialised_read",
        "says": ["{in_kernel}{access} that nothing has written"],
        "adds": ["cudaMalloc leaves memory as it is: copy, cudaMemset or write it first", "shared memory holds nothing when a block begins"],
    },
    "livelock": {
        "look_for": "all remaining threads poll memory that none of them changes: a flag never set, a lock never released, a count never reached",
        "verdict": "time_limit",
        "says": ["{in_kernel}threads wait for memory that no thread changes any more"],
        "adds": ["{n} {thread polls|threads poll} {memory} at {place}: {thread}{| and others}"],
    },
    "barrier_divergence": {
        "look_for": "some threads of a block wait at `__syncthreads()`, others returned or wait at another one",
        "verdict": "barrier_divergence",
        "says": ["{in_kernel}__syncthreads() reached while other threads of the block wait in the one at {place}", "{in_kernel}{n} of {n} threads returned before the {__syncthreads()|grid.sync()} that the others wait in"],
        "adds": ["first to return: {thread}"],
    },
    "invalid_launch": {
        "look_for": "a grid or block that is empty or too large",
        "says": ["{launched}: {the block has no such stream|its depth is {n}, limit {n}|{n} tail launches have not begun, limit of cudaLimitDevRuntimePendingLaunchCount}", "{launched}: the {grid {i} has no blocks|block {i} has no threads|block {i} has {threads}, limit {n} and {i}|grid is {i}, limit {i}}", "{launched}: {n} bytes of dynamic shared memory, limit {n}{| without cudaFuncAttributeMaxDynamicSharedMemorySize}", "{launched}: the cluster {i} {has no blocks|differs from the kernel's __cluster_dims__{i}|has {n} blocks, limit {n}{| without cudaFuncAttributeNonPortableClusterSizeAllowed}}", "{launched}: the grid {i} is not a multiple of the cluster {i}", "{launched}: a cooperative grid of {n} blocks {does not fit on the device at once, limit {n}|has {threads}, limit of the simulator {n}: see CUDASIM_COOPERATIVE_THREADS}"],
        "adds": ["the kernel does not run; on a GPU cudaGetLastError() returns the error"],
    },
    "null_pointer": {
        "look_for": "the kernel reads, writes, copies from or to, or calls through a null pointer",
        "says": ["{in_kernel}{access} through a null pointer", "{faulted}{call|read|write} through a null {|function }pointer"],
    },
    "invalid_address": {
        "look_for": "the kernel hit an address that is not mapped",
        "says": ["{in_kernel}{surface {read|write} of {bytes}|texture fetch} through a handle that is not a {surface|texture} object", "{faulted}{access through a pointer whose value is no address|{call|read|write} of memory that is not mapped}"],
        "adds": ["it was never set, or something else was written over it"],
    },
    "stack_overflow": {
        "look_for": "recursion that is too deep, or local arrays that are too large",
        "says": ["{faulted}recursion too deep or local arrays too large"],
    },
    "exception": {
        "look_for": "a C++ exception left the kernel",
        "says": ["kernel {name} at {place}, {thread}: an exception left the kernel: {of a type not derived from std::exception|{quoted}}"],
        "adds": ["device code cannot throw"],
    },
    "endless_kernel": {
        "look_for": "no thread of the launch has returned or reached a barrier for a minute of CPU time: a loop that never ends",
        "verdict": "time_limit",
        "says": ["{in_kernel}no thread of the launch has returned or reached a barrier for {n} s of CPU time"],
        "adds": ["{thread} runs there", "CUDASIM_TIMEOUT_S sets the limit in seconds; 0 removes it"],
    },
    "assertion": {
        "look_for": "an `assert` failed in a kernel",
        "says": ["{in_kernel}assertion `{quoted}` failed"],
        "adds": ["in {type}"],
    },
    "trap": {
        "look_for": "a kernel called `__trap()`",
        "says": ["{in_kernel}__trap() ended the launch"],
    },
    "lost_update": {
        "look_for": "a thread reads a word and writes it, atomically each, not together; another one has changed it in between, and its update is lost. The exit status is unaffected, see [Schedules](README.md#schedules)",
        "is_warning": True,
        "says": ["{in_kernel}{thread} read {memory} at {place} and {wrote|updated} it at {place}; between the two {another thread|{thread}} changed it, and its update is lost; make one atomic operation of the two, such as atomicAdd or a loop with atomicCAS"],
    },
    "stale_look": {
        "look_for": "the same, where the second write may do no harm: it writes the same value, or adds. Only printed where it may explain something: if a race is found, or the program's exit status is not 0",
        "is_warning": True,
        "says": ["{in_kernel}{thread} read {memory} at {place} and {wrote|updated} it at {place}; between the two {another thread|{thread}} changed it; make one atomic operation of the two, such as atomicAdd or a loop with atomicCAS"],
    },
    "missing_acquire": {
        "look_for": "a thread counts arrivals with an atomic, is the last one, and reads what the others have written without a fence; see [Memory model](README.md#memory-model). The exit status is unaffected",
        "is_warning": True,
        "says": ["{in_kernel}{read|write} after the count of arrivals{| at {place}} without a __threadfence() between them; the other thread's access is at {place}"],
    },
    "leak": {
        "look_for": "at the end of the program, what was never released: host or device memory, arrays, streams, events, graphs, texture objects, pools, registrations. The exit status is unaffected",
        "is_warning": True,
        "says": ["{name} never got {{alloc}|the {stream made|event made|texture object made|surface object made|memory pool made|memory registered|graph made|executable graph made} at {place}}{| ({n} times)}"],
    },
    "unchecked_error": {
        "look_for": "an API call failed, its result was discarded and cudaGetLastError() was not called either. The exit status is unaffected",
        "is_warning": True,
        "says": ["{call} failed with {name}: {quoted}; the program never checked it"],
    },
    "never_waited": {
        "look_for": "the program ended without waiting for this launch or copy. It runs at exit, so that its bugs are found",
        "is_warning": True,
        "says": ["{origin}: the program ended without waiting for it"],
    },
}
