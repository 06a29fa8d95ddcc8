"""The catalogue of counters: what profile mode counts, what each number means, and whether points may
depend on it. The simulator's JSON, the grader's model, lab.toml's checks and counters.md are derived
from it. A key is a counter's name in the JSON and in lab.toml.

words         its description, for students
value         C++ expression for one kernel, of profile, totals, all, shared and occupancy
value_of_call C++ expression for a whole call of the function
over, under   in place of a value: the quotient of two sums of counters listed before it
of_none       a quotient's value if its denominator is 0; default 0
of_calls      the quotient is of counters of a whole call
worst         "largest" or "smallest": which of several kernels' values counts; default their sum
most          the largest possible value
is_word       the value is a word, not a number
not_gradable  why no points may depend on it, as it may differ from a GPU's count

Only literals may stand here, because Python reads this file, too.
"""

COUNTERS = {
    "global_load_requests": {
        "words": "global loads, counted in warps",
        "value": "totals.Of(LineKind::kGlobalLoad).requests",
    },
    "global_load_sectors": {
        "words": "sectors of 32 bytes moved by global loads",
        "value": "totals.Of(LineKind::kGlobalLoad).sectors",
    },
    "global_load_ideal_sectors": {
        "words": "sectors of 32 bytes that global loads needed",
        "value": "totals.Of(LineKind::kGlobalLoad).ideal_sectors",
    },
    "global_load_sectors_per_request": {
        "words": "sectors of 32 bytes for each global load of a warp",
        "over": ["global_load_sectors"],
        "under": ["global_load_requests"],
        "most": 64,
    },
    "global_load_efficiency": {
        "words": "share of the sectors moved by global loads that was needed",
        "over": ["global_load_ideal_sectors"],
        "under": ["global_load_sectors"],
        "of_none": 1,
        "most": 1,
    },
    "global_store_requests": {
        "words": "global stores, counted in warps",
        "value": "totals.Of(LineKind::kGlobalStore).requests",
    },
    "global_store_sectors": {
        "words": "sectors of 32 bytes moved by global stores",
        "value": "totals.Of(LineKind::kGlobalStore).sectors",
    },
    "global_store_ideal_sectors": {
        "words": "sectors of 32 bytes that global stores needed",
        "value": "totals.Of(LineKind::kGlobalStore).ideal_sectors",
    },
    "global_store_sectors_per_request": {
        "words": "sectors of 32 bytes for each global store of a warp",
        "over": ["global_store_sectors"],
        "under": ["global_store_requests"],
        "most": 64,
    },
    "global_store_efficiency": {
        "words": "share of the sectors moved by global stores that was needed",
        "over": ["global_store_ideal_sectors"],
        "under": ["global_store_sectors"],
        "of_none": 1,
        "most": 1,
    },
    "global_sectors_per_request": {
        "words": "sectors of 32 bytes for each global access of a warp",
        "over": [
            "global_load_sectors",
            "global_store_sectors",
        ],
        "under": [
            "global_load_requests",
            "global_store_requests",
        ],
        "most": 64,
    },
    "global_efficiency": {
        "words": "share of the sectors moved by global accesses that was needed",
        "over": [
            "global_load_ideal_sectors",
            "global_store_ideal_sectors",
        ],
        "under": [
            "global_load_sectors",
            "global_store_sectors",
        ],
        "of_none": 1,
        "most": 1,
    },
    "shared_load_requests": {
        "words": "shared loads, counted in warps",
        "value": "totals.Of(LineKind::kSharedLoad).requests",
    },
    "shared_load_wavefronts": {
        "words": "passes over shared memory by shared loads",
        "value": "totals.Of(LineKind::kSharedLoad).wavefronts",
    },
    "shared_load_ideal_wavefronts": {
        "words": "passes without bank conflicts by shared loads",
        "value": "totals.Of(LineKind::kSharedLoad).ideal_wavefronts",
    },
    "shared_load_conflict_degree": {
        "words": "bank conflict degree of the worst shared load",
        "value": "totals.Of(LineKind::kSharedLoad).worst_degree",
        "worst": "largest",
    },
    "shared_store_requests": {
        "words": "shared stores, counted in warps",
        "value": "totals.Of(LineKind::kSharedStore).requests",
    },
    "shared_store_wavefronts": {
        "words": "passes over shared memory by shared stores",
        "value": "totals.Of(LineKind::kSharedStore).wavefronts",
    },
    "shared_store_ideal_wavefronts": {
        "words": "passes without bank conflicts by shared stores",
        "value": "totals.Of(LineKind::kSharedStore).ideal_wavefronts",
    },
    "shared_store_conflict_degree": {
        "words": "bank conflict degree of the worst shared store",
        "value": "totals.Of(LineKind::kSharedStore).worst_degree",
        "worst": "largest",
    },
    "shared_wavefronts_per_request": {
        "words": "passes over shared memory for each access of a warp",
        "over": [
            "shared_load_wavefronts",
            "shared_store_wavefronts",
        ],
        "under": [
            "shared_load_requests",
            "shared_store_requests",
        ],
    },
    "shared_conflict_degree": {
        "words": "bank conflict degree of the worst shared access",
        "value": "shared.worst_degree",
        "worst": "largest",
    },
    "shared_load_sass_wavefronts": {
        "words": "passes over shared memory by loads, as ncu's metric for instructions counts them",
        "value": "totals.Of(LineKind::kSharedLoad).sass_wavefronts",
        "not_gradable": "it repeats what ncu counts, and not what the hardware does",
    },
    "global_atomic_requests": {
        "words": "atomic operations on global memory, in warps",
        "value": "totals.Of(LineKind::kGlobalAtomic).requests",
        "not_gradable": "nvcc may add up a warp's operations on one address by itself",
    },
    "global_atomic_lanes": {
        "words": "atomic operations on global memory, in threads",
        "value": "totals.Of(LineKind::kGlobalAtomic).lanes",
        "not_gradable": "nvcc may add up a warp's operations on one address by itself",
    },
    "global_atomic_sectors": {
        "words": "sectors of atomic operations on global memory",
        "value": "totals.Of(LineKind::kGlobalAtomic).sectors",
    },
    "global_atomic_serialisation": {
        "words": "threads of a warp that contend for one address in an atomic operation on global memory",
        "value": "Ratio(totals.Of(LineKind::kGlobalAtomic).contended, totals.Of(LineKind::kGlobalAtomic).requests, 0)",
        "worst": "largest",
        "most": 32,
    },
    "shared_atomic_requests": {
        "words": "atomic operations on shared memory, in warps",
        "value": "totals.Of(LineKind::kSharedAtomic).requests",
    },
    "shared_atomic_lanes": {
        "words": "atomic operations on shared memory, in threads",
        "value": "totals.Of(LineKind::kSharedAtomic).lanes",
    },
    "shared_atomic_wavefronts": {
        "words": "wavefronts of atomic operations on shared memory",
        "value": "totals.Of(LineKind::kSharedAtomic).wavefronts",
        "not_gradable": "it was measured for integers only, and in single warps beyond 32 bits",
    },
    "shared_atomic_serialisation": {
        "words": "threads of a warp that contend for one address in an atomic operation on shared memory",
        "value": "Ratio(totals.Of(LineKind::kSharedAtomic).contended, totals.Of(LineKind::kSharedAtomic).requests, 0)",
        "worst": "largest",
        "most": 32,
    },
    "lanes_per_request": {
        "words": "active threads in each access of a warp",
        "value": "Ratio(all.lanes, all.requests, 0)",
        "worst": "smallest",
        "most": 32,
        "not_gradable": "it differs from ncu's ratio of lanes to instructions",
    },
    "branches": {
        "words": "branches, counted in warps",
        "value": "totals.branches",
        "not_gradable": "compilers make different branches of the same source",
    },
    "divergent_branches": {
        "words": "branches at which the threads of a warp diverge",
        "value": "totals.divergent_branches",
        "not_gradable": "compilers make different branches of the same source",
    },
    "branch_efficiency": {
        "words": "share of the branches without divergence",
        "value": "1 - Ratio(totals.divergent_branches, totals.branches, 0)",
        "worst": "smallest",
        "most": 1,
        "not_gradable": "compilers make different branches of the same source",
    },
    "work": {
        "words": "operations of all threads of all kernels",
        "value": "profile.work",
        "value_of_call": "CallWork()",
    },
    "span": {
        "words": "operations on the critical path: the longest chain of dependent ones",
        "value": "profile.span",
        "value_of_call": "CallSpan()",
    },
    "parallelism": {
        "words": "operations of all threads, over those on the critical path",
        "over": ["work"],
        "under": ["span"],
        "of_calls": True,
    },
    "host_device_bytes": {
        "words": "bytes moved between host and device",
        "value_of_call": "HostDeviceBytes()",
    },
    "makespan": {
        "words": "modelled nanoseconds from the beginning of a call to the end of its last operation",
        "value_of_call": "TimelineOfCall().makespan",
    },
    "busy_time": {
        "words": "modelled nanoseconds of all copies, kernels, host functions and accesses of the host",
        "value_of_call": "TimelineOfCall().busy",
    },
    "overlap": {
        "words": "how many operations run at once on average: their time, over that of the call",
        "over": ["busy_time"],
        "under": ["makespan"],
        "of_calls": True,
    },
    "host_waits": {
        "words": "times that a thread of the host has to wait for the device",
        "value_of_call": "std::uint64_t{TimelineOfCall().host_waits.size()}",
    },
    "allocations": {
        "words": "allocations of device memory, those of libraries, too",
        "value_of_call": "Allocations()",
    },
    "streams": {
        "words": "streams that copies, kernels or host functions are in",
        "value_of_call": "std::uint64_t{TimelineOfCall().streams.size()}",
    },
    "page_faults": {
        "words": "accesses to managed memory that is on the other side, which move a page of 64 KiB",
        "value_of_call": "PageFaults()",
    },
    "thread_blocks": {
        "words": "blocks of the largest grid",
        "value": "profile.thread_blocks()",
        "worst": "largest",
    },
    "launches": {
        "words": "kernels that the call launches, those of libraries and by kernels, too",
        "value": "profile.launches",
    },
    "child_launches": {
        "words": "kernels that kernels launch",
        "value": "profile.child_launches",
    },
    "texture_reads": {
        "words": "elements that texture fetches read, counted in threads",
        "value": "profile.texture_reads",
    },
    "distributed_shared_requests": {
        "words": "accesses to shared memory of other blocks of the cluster, counted in warps",
        "value": "profile.distributed_requests",
    },
    "async_bytes_in_flight": {
        "words": "bytes of asynchronous copies that a block has under way, from issuing a copy until the thread waits for its batch, or a thread for the barrier that it is bound to, on average over the span",
        "value": "profile.copied_bytes_under_way()",
        "worst": "smallest",
    },
    "barriers": {
        "words": "barriers passed, counted in blocks",
        "value": "profile.barriers",
    },
    "warp_barriers": {
        "words": "barriers of warps passed",
        "value": "profile.warp_barriers",
    },
    "memory_instructions": {
        "words": "accesses to memory, counted in warps",
        "value": "all.requests",
        "not_gradable": "nvcc merges and leaves out accesses when it optimises",
    },
    "compulsory_read_bytes": {
        "words": "bytes that kernels must read even with perfect caches",
        "value": "profile.read_sectors * kSectorBytes",
    },
    "compulsory_write_bytes": {
        "words": "bytes that kernels must write even with perfect caches",
        "value": "profile.written_sectors * kSectorBytes",
    },
    "footprint_bytes": {
        "words": "bytes of global memory that kernels touch; what they read and then write counts once",
        "value": "profile.touched_sectors * kSectorBytes",
        "not_gradable": "it serves the prediction of times",
    },
    "block_load_sectors": {
        "words": "sectors that blocks load for the first time: from the L2 cache, if each has a perfect L1 cache",
        "value": "profile.block_load_sectors",
        "not_gradable": "it serves the prediction of times",
    },
    "global_lines": {
        "words": "lines of 128 bytes that global loads and stores touch",
        "value": "totals.Of(LineKind::kGlobalLoad).lines + totals.Of(LineKind::kGlobalStore).lines",
        "not_gradable": "it serves the prediction of times",
    },
    "float_atomic_lanes": {
        "words": "atomic additions of floats to global memory, in threads",
        "value": "totals.Of(LineKind::kGlobalAtomic).float_lanes",
        "not_gradable": "it serves the prediction of times",
    },
    "hottest_atomics": {
        "words": "passes of atomic operations over the sector of global memory that has most of them, without combined_atomic_lanes",
        "value": "profile.hottest_atomics",
        "not_gradable": "it serves the prediction of times",
    },
    "combined_atomic_lanes": {
        "words": "atomic operations on global memory, in threads, that a GPU is spared: at a warp's common address nvcc combines its operations on 32-bit integers into one",
        "value": "totals.Of(LineKind::kGlobalAtomic).combined_lanes",
        "not_gradable": "nvcc must know that the address is common; here it is if it always was",
    },
    "global_atomic_passes": {
        "words": "sectors of global memory that atomic operations visit; those of a warp at one address one after another, but without combined_atomic_lanes",
        "value": "PassesOf(totals.Of(LineKind::kGlobalAtomic))",
        "not_gradable": "it serves the prediction of times",
    },
    "atomic_sectors": {
        "words": "sectors of global memory that a launch has atomic operations on",
        "value": "profile.atomic_sectors",
        "not_gradable": "it serves the prediction of times",
    },
    "shared_atomic_passes": {
        "words": "wavefronts of atomic operations on shared memory, but without those that nvcc combines as in combined_atomic_lanes",
        "value": "PassesOf(totals.Of(LineKind::kSharedAtomic))",
        "not_gradable": "it serves the prediction of times",
    },
    "spinning_atomic_wavefronts": {
        "words": "wavefronts of those atomic operations on shared memory that are a loop of compare-and-swaps: on floats and on 64 bits",
        "value": "totals.Of(LineKind::kSharedAtomic).spinning",
        "not_gradable": "it serves the prediction of times",
    },
    "longest_atomic_chain": {
        "words": "atomic operations on global memory whose results the warp that has most of them uses",
        "value": "profile.longest_atomic_chain",
        "not_gradable": "it serves the prediction of times",
    },
    "global_load_waits": {
        "words": "global loads that warps wait for if they finish all loads of a basic block before the next one; those of a block count once, unless they depend on each other",
        "value": "totals.Of(LineKind::kGlobalLoad).waits.in_order",
        "not_gradable": "it serves the prediction of times",
    },
    "shared_load_waits": {
        "words": "the same of shared loads",
        "value": "totals.Of(LineKind::kSharedLoad).waits.in_order",
        "not_gradable": "it serves the prediction of times",
    },
    "strided_load_waits": {
        "words": "global_load_waits in loops whose stride is the number of threads of a block or the grid: compilers do not unroll those",
        "value": "totals.Of(LineKind::kGlobalLoad).waits.strided",
        "not_gradable": "it serves the prediction of times",
    },
    "dependent_global_loads": {
        "words": "global loads, counted in warps, that need what a load before them read, as in a list, a search or a merge",
        "value": "totals.Of(LineKind::kGlobalLoad).waits.dependent",
        "not_gradable": "it serves the prediction of times",
    },
    "dependent_shared_loads": {
        "words": "the same of shared loads",
        "value": "totals.Of(LineKind::kSharedLoad).waits.dependent",
        "not_gradable": "it serves the prediction of times",
    },
    "longest_global_chain": {
        "words": "dependent global loads of the warp that has most of them",
        "value": "profile.longest_global_chain",
        "not_gradable": "it serves the prediction of times",
    },
    "longest_shared_chain": {
        "words": "the same of shared loads",
        "value": "profile.longest_shared_chain",
        "not_gradable": "it serves the prediction of times",
    },
    "looped_load_waits": {
        "words": "global_load_waits in short loops without stores to global memory and barriers, whose loads a compiler moves together when it unrolls the loop; without those that depend on others",
        "value": "totals.Of(LineKind::kGlobalLoad).waits.looped",
        "not_gradable": "it serves the prediction of times",
    },
    "looped_shared_waits": {
        "words": "the same of shared_load_waits, in loops without divergence and barriers",
        "value": "totals.Of(LineKind::kSharedLoad).waits.looped",
        "not_gradable": "it serves the prediction of times",
    },
    "grid_strided_load_waits": {
        "words": "strided_load_waits whose stride is that of the grid, and not of a block",
        "value": "totals.Of(LineKind::kGlobalLoad).waits.grid_strided",
        "not_gradable": "it serves the prediction of times",
    },
    "reloaded_sectors": {
        "words": "sectors of global loads that the same warp has loaded shortly before, at most 128 other ones ago: its share of the L1 cache if a multiprocessor is full",
        "value": "totals.Of(LineKind::kGlobalLoad).near_sectors",
        "not_gradable": "it serves the prediction of times",
    },
    "late_reloaded_sectors": {
        "words": "the same, 129 to 1024 other ones ago",
        "value": "totals.Of(LineKind::kGlobalLoad).middle_sectors",
        "not_gradable": "it serves the prediction of times",
    },
    "rewritten_sectors": {
        "words": "sectors of global stores that another store of the same warp has written shortly before, at most 128 other ones ago, as members of a struct",
        "value": "totals.Of(LineKind::kGlobalStore).near_sectors",
        "not_gradable": "it serves the prediction of times",
    },
    "constant_requests": {
        "words": "loads from constant memory, counted in warps",
        "value": "profile.constant_requests",
        "not_gradable": "compilers make different loads of the same source",
    },
    "constant_passes": {
        "words": "different addresses of those loads in each warp: a GPU serves one after another",
        "value": "profile.constant_passes",
        "not_gradable": "compilers make different loads of the same source",
    },
    "block_chain": {
        "words": "blocks that wait one after another for what the block before has written, by volatile or atomic accesses; a block that writes to the same place before it waits may make the next one wait less",
        "value": "profile.block_chain",
        "not_gradable": "it serves the prediction of times",
    },
    "sure_block_chain": {
        "words": "the same without blocks that write before they wait",
        "value": "profile.sure_block_chain",
        "not_gradable": "it serves the prediction of times",
    },
    "block_chain_readers": {
        "words": "threads of one of these blocks that read what others have written, at most: lanes of a warp look back at several blocks at once",
        "value": "profile.block_chain_readers",
        "not_gradable": "it serves the prediction of times",
    },
    "block_runs": {
        "words": "basic blocks of code that warps run",
        "value": "totals.block_runs",
        "not_gradable": "compilers make different blocks of the same source",
    },
    "static_shared_bytes": {
        "words": "bytes of shared memory in a block",
        "value": "totals.static_shared_bytes",
        "worst": "largest",
    },
    "occupancy": {
        "words": "share of a multiprocessor's warps that can be resident at once",
        "value": "occupancy.fraction",
        "worst": "smallest",
        "most": 1,
    },
    "occupancy_limit": {
        "words": "what limits the blocks that fit on a multiprocessor",
        "value": "occupancy.limit",
        "is_word": True,
    },
    "resident_blocks": {
        "words": "blocks that fit on a multiprocessor",
        "value": "std::uint64_t{occupancy.resident_blocks}",
        "worst": "smallest",
    },
}
