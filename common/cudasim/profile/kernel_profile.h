// The counts of one kernel in one launch configuration.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/cudasim/profile/barrier_trace.h"
#include "common/cudasim/profile/branches.h"
#include "common/cudasim/profile/dependent_loads.h"
#include "common/cudasim/profile/request_samples.h"
#include "common/cudasim/profile/strides.h"
#include "common/cudasim/runtime/scheduler/grid.h"

namespace cudasim {

enum class LineKind : std::uint8_t {
  kGlobalLoad,
  kGlobalStore,
  kGlobalAtomic,
  kSharedLoad,
  kSharedStore,
  kSharedAtomic,
};
constexpr unsigned kLineKinds = 6;

// "global_load", ...
const char* NameOf(LineKind kind);

// Sums over the requests of one memory instruction, of one line, or of one kind.
struct LineCounts {
  std::uint64_t requests = 0;
  std::uint64_t lanes = 0;
  std::uint64_t sectors = 0;  // global
  std::uint64_t ideal_sectors = 0;
  std::uint64_t lines = 0;  // of 128 bytes
  // Of the sectors those that the warp has loaded or stored lately: see Reuse.
  std::uint64_t near_sectors = 0;
  std::uint64_t middle_sectors = 0;
  std::uint64_t wavefronts = 0;  // shared
  std::uint64_t ideal_wavefronts = 0;
  std::uint64_t sass_wavefronts = 0;
  std::uint64_t contended = 0;    // atomics: lanes at the most contended address of each request
  std::uint64_t float_lanes = 0;  // atomic additions of floats
  std::uint64_t passes = 0;       // atomics: over sectors, or wavefronts in shared memory
  std::uint64_t spinning = 0;     // those in shared memory that are a loop of compare-and-swaps
  // Of the lanes and passes those that a compiler saves if an instruction's address is uniform.
  std::uint64_t combined_lanes = 0;
  std::uint64_t combined_passes = 0;
  LoadWaits waits;
  double worst_degree = 0;  // shared: wavefronts / ideal of one request
  unsigned bytes = 0;       // of one lane's access
  Strides strides;
  RequestSamples samples;

  void Add(const LineCounts& other);
};

// The memory that an instruction accesses, by the name that the source gives it.
struct Target {
  std::string name;            // "out", "tile", or an allocation's description
  unsigned columns = 0;        // of a two-dimensional shared array; 0: has none
  unsigned element_bytes = 0;  // of a shared array
};

struct Instruction {
  CodeOffset pc = 0;
  LineKind kind = LineKind::kGlobalLoad;
  unsigned load = 0;       // a load's dense number in the kernel
  bool is_uniform = true;  // an atomic operation's address, in each request of a warp
  Target target;
  LineCounts counts;
};

struct KernelProfile {
  KernelSource source{};
  dim3 grid;
  dim3 block;
  std::size_t dynamic_bytes = 0;
  std::uint64_t launches = 0;
  std::uint64_t child_launches = 0;  // those by kernels
  bool waits = false;                // threads have polled memory; see Waits

  std::unordered_map<std::uint64_t, Instruction> instructions;  // by pc and kind
  unsigned loads = 0;                                           // instructions
  BlockTable blocks;
  std::uint64_t barriers = 0;       // of blocks
  std::uint64_t warp_barriers = 0;  // of warps or parts of them
  // Of warps, to shared memory of other blocks of the cluster.
  std::uint64_t distributed_requests = 0;
  std::uint64_t copied_byte_operations = 0;  // see CopiesUnderWay
  std::uint64_t read_sectors = 0;            // see SectorSet
  std::uint64_t written_sectors = 0;
  std::uint64_t block_load_sectors = 0;
  std::uint64_t touched_sectors = 0;
  std::uint64_t hottest_atomics = 0;
  std::uint64_t atomic_sectors = 0;
  std::uint64_t texture_reads = 0;      // elements, counted in threads
  std::uint64_t constant_requests = 0;  // loads of warps
  std::uint64_t constant_passes = 0;
  std::uint64_t block_chain = 0;  // see BlockChain
  std::uint64_t sure_block_chain = 0;
  std::uint64_t block_chain_readers = 0;
  std::uint64_t longest_global_chain = 0;  // dependent loads of one warp
  std::uint64_t longest_shared_chain = 0;
  std::uint64_t longest_atomic_chain = 0;  // atomics of one warp whose results it needs
  std::uint64_t work = 0;                  // see work_span.h; sums over the launches
  std::uint64_t span = 0;
  std::uint64_t busiest_thread = 0;
  std::set<unsigned> shared_variables;  // offsets of those that were touched
  BarrierTrace barrier_trace;           // of the first block of those that waited longest

  std::uint64_t threads() const { return 1ull * block.x * block.y * block.z; }
  std::uint64_t thread_blocks() const { return 1ull * grid.x * grid.y * grid.z; }

  // Of a block, on average over the span: threads without work do not shorten it.
  double copied_bytes_under_way() const {
    return span == 0 ? 0 : 1.0 * copied_byte_operations / span / thread_blocks();
  }
};

// All kernels in the order of their first launches.  Only the OS thread that runs kernels, or one
// that has stopped it, may use them.
std::vector<KernelProfile>& Profiles();

// The profile that a launch belongs to; creates it at the first launch.
KernelProfile& ProfileOf(const Grid& grid);

}  // namespace cudasim
