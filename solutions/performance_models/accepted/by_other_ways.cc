// Every model by another way: other forms of the laws, a depth-first search with its own stack,
// blocks counted one by one, sorted words, a histogram of the rows, roots by arithmetic in double.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "labs/performance_models/performance_models.h"

namespace {

bool IsPossible(double fraction, std::int64_t processors) {
  return !std::isnan(fraction) && fraction >= 0 && fraction <= 1 && processors >= 1;
}

struct TaskState {
  bool is_open = false;
  bool is_done = false;
  std::int64_t longest = 0;  // of all paths that begin here
};

// The tasks that follow each one, as compressed sparse rows.
struct Followers {
  std::vector<std::size_t> first;
  std::vector<std::int32_t> task;
};

Followers FollowersOf(std::size_t n, std::span<const Dependence> dependences) {
  Followers result{std::vector<std::size_t>(n + 1), std::vector<std::int32_t>(dependences.size())};
  for (const Dependence& d : dependences) ++result.first[d.before + 1];
  for (std::size_t i = 0; i < n; ++i) result.first[i + 1] += result.first[i];
  std::vector<std::size_t> next = result.first;
  for (const Dependence& d : dependences) result.task[next[d.before]++] = d.after;
  return result;
}

// Visits all that follows `root`; false if there is a cycle.
bool Visit(std::int32_t root, std::span<const std::int64_t> costs, const Followers& followers,
           std::vector<TaskState>& states, std::vector<std::size_t>& next) {
  std::vector<std::int32_t> path{root};
  states[root].is_open = true;
  while (!path.empty()) {
    const std::int32_t task = path.back();
    TaskState& state = states[task];
    if (next[task] < followers.first[task + 1]) {
      const std::int32_t follower = followers.task[next[task]++];
      if (states[follower].is_open) return false;
      if (states[follower].is_done) {
        state.longest = std::max(state.longest, states[follower].longest);
      } else {
        states[follower].is_open = true;
        path.push_back(follower);
      }
      continue;
    }
    state.longest += costs[task];
    state.is_open = false;
    state.is_done = true;
    path.pop_back();
    if (!path.empty()) {
      std::int64_t& before = states[path.back()].longest;
      before = std::max(before, state.longest);
    }
  }
  return true;
}

bool HoldsWarps(const Multiprocessor& machine, std::int64_t registers_of_warp, std::int64_t warps) {
  const std::int64_t for_each = (warps + machine.schedulers - 1) / machine.schedulers;
  return for_each * registers_of_warp <= machine.registers / machine.schedulers;
}

bool IsPossible(const WarpAccess& access) {
  if (access.bytes == 0 || access.bytes > 16 || (access.bytes & (access.bytes - 1)) != 0) {
    return false;
  }
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    const bool is_active = (access.active & (1u << lane)) != 0;
    if (is_active && (access.address[lane] & (access.bytes - 1)) != 0) return false;
  }
  return true;
}

std::size_t CountDistinct(std::vector<std::uint64_t>& values) {
  std::sort(values.begin(), values.end());
  return std::unique(values.begin(), values.end()) - values.begin();
}

std::optional<std::map<std::int32_t, std::int64_t>> Histogram(
    std::span<const std::int32_t> row_lengths, std::int32_t index_bytes, std::int32_t value_bytes) {
  if (index_bytes < 1 || value_bytes < 1) return std::nullopt;
  std::map<std::int32_t, std::int64_t> rows;
  for (const std::int32_t length : row_lengths) ++rows[length];
  if (!rows.empty() && rows.begin()->first < 0) return std::nullopt;
  return rows;
}

}  // namespace

std::optional<double> AmdahlSpeedup(double serial_fraction, std::int64_t processors) {
  if (!IsPossible(serial_fraction, processors)) return {};
  const auto p = static_cast<double>(processors);
  return p / (1 + serial_fraction * (p - 1));
}

std::optional<double> GustafsonSpeedup(double serial_fraction, std::int64_t processors) {
  if (!IsPossible(serial_fraction, processors)) return {};
  const auto p = static_cast<double>(processors);
  return p - serial_fraction * (p - 1);
}

std::optional<WorkAndSpan> MeasureTasks(std::span<const std::int64_t> costs,
                                        std::span<const Dependence> dependences) {
  const auto n = static_cast<std::int64_t>(costs.size());
  WorkAndSpan result{0, 0};
  for (const std::int64_t cost : costs) {
    if (cost < 0) return {};
    result.work += cost;
  }
  for (const Dependence& d : dependences) {
    if (std::min(d.before, d.after) < 0 || std::max(d.before, d.after) >= n) return {};
  }
  const Followers followers = FollowersOf(costs.size(), dependences);
  std::vector<std::size_t> next = followers.first;
  std::vector<TaskState> states(costs.size());
  for (std::int32_t task = 0; task < n; ++task) {
    if (!states[task].is_done && !Visit(task, costs, followers, states, next)) return {};
    result.span = std::max(result.span, states[task].longest);
  }
  return result;
}

std::optional<TimeBounds> BoundTime(WorkAndSpan tasks, std::int64_t processors) {
  const auto [work, span] = tasks;
  if (processors < 1 || span < 0 || work < span || (span == 0) != (work == 0)) return {};
  std::int64_t least = work / processors;
  if (least * processors < work) ++least;
  return TimeBounds{std::max(least, span), span + (work - span) / processors};
}

std::optional<Occupancy> FitBlocks(Multiprocessor machine, Launch launch) {
  const auto [threads, registers, shared] = launch;
  if (threads < 1 || registers < 0 || shared < 0) return {};
  const std::int64_t warps = (std::int64_t{threads} + kWarpLanes - 1) / kWarpLanes;
  std::int64_t of_warp = std::int64_t{registers} * kWarpLanes + machine.register_unit - 1;
  of_warp -= of_warp % machine.register_unit;
  std::int64_t of_block = std::int64_t{shared} + machine.shared_reserved + machine.shared_unit - 1;
  of_block -= of_block % machine.shared_unit;
  for (std::int64_t blocks = 0;; ++blocks) {
    const std::int64_t more = blocks + 1;
    std::optional<Limit> limit;
    if (more * of_block > machine.shared_bytes) limit = Limit::kSharedMemory;
    if (registers > machine.max_registers_per_thread ||
        !HoldsWarps(machine, of_warp, more * warps)) {
      limit = Limit::kRegisters;
    }
    if (more > machine.max_blocks) limit = Limit::kBlocks;
    if (threads > machine.max_threads_per_block ||
        more * warps * kWarpLanes > machine.max_threads) {
      limit = Limit::kThreads;
    }
    if (limit) {
      return Occupancy{static_cast<std::int32_t>(blocks), static_cast<std::int32_t>(blocks * warps),
                       *limit};
    }
  }
}

std::optional<std::int32_t> CountSectors(WarpAccess access) {
  if (!IsPossible(access)) return {};
  std::vector<std::uint64_t> sectors;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    if ((access.active >> lane) % 2 == 1) sectors.push_back(access.address[lane] >> 5);
  }
  return static_cast<std::int32_t>(CountDistinct(sectors));
}

std::optional<BankCost> CountWavefronts(WarpAccess access) {
  if (!IsPossible(access)) return {};
  const int lanes = std::min(kWarpLanes, 128 / static_cast<int>(access.bytes));
  BankCost cost{0, 0};
  for (int begin = 0; begin < kWarpLanes; begin += lanes) {
    std::array<std::vector<std::uint64_t>, 32> banks;
    for (int lane = begin; lane < begin + lanes; ++lane) {
      if ((access.active >> lane) % 2 == 0) continue;
      for (std::uint64_t byte = 0; byte < access.bytes; byte += 4) {
        const std::uint64_t word = (access.address[lane] + byte) >> 2;
        banks[word & 31].push_back(word);
      }
    }
    std::size_t most = 0;
    for (auto& words : banks) most = std::max(most, CountDistinct(words));
    cost.wavefronts += static_cast<std::int32_t>(most);
    if (most > 1) cost.conflicts += static_cast<std::int32_t>(most) - 1;
  }
  return cost;
}

std::optional<Rating> RateKernel(KernelCounts kernel, Machine machine) {
  const bool has_speed = std::isfinite(machine.gflops) && machine.gflops > 0 &&
                         std::isfinite(machine.gigabytes_per_second) &&
                         machine.gigabytes_per_second > 0;
  if (!has_speed || std::min({kernel.operations, kernel.loads, kernel.stores}) < 0 ||
      kernel.element_bytes < 1) {
    return {};
  }
  const std::int64_t accesses = kernel.loads + kernel.stores;
  const double bytes = static_cast<double>(accesses) * kernel.element_bytes;
  const auto operations = static_cast<double>(kernel.operations);
  if (accesses == 0) {
    if (kernel.operations == 0) return {};
    return Rating{std::numeric_limits<double>::infinity(), machine.gflops, false};
  }
  // The longer of the two times decides.
  const bool is_memory_bound = bytes / machine.gigabytes_per_second > operations / machine.gflops;
  const double roof =
      is_memory_bound ? operations * machine.gigabytes_per_second / bytes : machine.gflops;
  return Rating{operations / bytes, roof, is_memory_bound};
}

std::optional<FormatBytes> CompareFormats(std::span<const std::int32_t> row_lengths,
                                          std::int32_t index_bytes, std::int32_t value_bytes) {
  const auto histogram = Histogram(row_lengths, index_bytes, value_bytes);
  if (!histogram) return {};
  const std::int64_t index = index_bytes;
  FormatBytes bytes{index, 0, false};
  for (const auto& [length, rows] : *histogram) {
    bytes.csr += rows * (index + length * (index + value_bytes));
    bytes.ell = static_cast<std::int64_t>(row_lengths.size()) * length * (index + value_bytes);
  }
  bytes.ell_is_smaller = bytes.ell < bytes.csr;
  return bytes;
}

std::optional<HybridLayout> ChooseHybridWidth(std::span<const std::int32_t> row_lengths,
                                              std::int32_t index_bytes, std::int32_t value_bytes) {
  const auto histogram = Histogram(row_lengths, index_bytes, value_bytes);
  if (!histogram) return {};
  const std::int64_t slot = std::int64_t{index_bytes} + value_bytes;
  const std::int64_t entry = slot + index_bytes;
  const auto all = static_cast<std::int64_t>(row_lengths.size());
  std::int64_t bytes = 0;  // at width 0
  for (const std::int64_t length : row_lengths) bytes += length * entry;
  HybridLayout best{0, bytes};
  std::int64_t longer = all;
  std::int64_t width = 0;
  for (const auto& [length, rows] : *histogram) {
    bytes += (length - width) * (all * slot - longer * entry);
    width = length;
    longer -= rows;
    if (bytes < best.bytes) best = {length, bytes};
  }
  return best;
}

std::optional<HaloCells> CountHalo(std::span<const std::int64_t> extents, std::int64_t radius,
                                   Stencil stencil) {
  if (extents.size() < 1 || extents.size() > 3 || radius < 0) return {};
  HaloCells cells{1, 0};
  for (const std::int64_t extent : extents) {
    if (extent < 1) return {};
    const std::int64_t wider = stencil == Stencil::kBox ? 2 * radius : 0;
    // Grows by one dimension: what there was is repeated, and both sides are added.
    cells.halo = cells.halo * (extent + wider) + 2 * radius * cells.tile;
    cells.tile *= extent;
  }
  return cells;
}

std::optional<std::int64_t> LargestTile(std::int64_t shared_bytes, std::int32_t element_bytes,
                                        std::int32_t dimensions, std::int64_t radius) {
  if (shared_bytes < 0 || element_bytes < 1 || dimensions < 1 || dimensions > 3) return {};
  if (radius < 0 || radius > 1 << 20) return {};
  const std::int64_t cells = shared_bytes / element_bytes;
  std::int64_t edge = cells;
  if (dimensions > 1) {
    const auto room = static_cast<double>(cells);
    edge = static_cast<std::int64_t>(dimensions == 2 ? std::sqrt(room) : std::cbrt(room)) + 1;
    const auto volume = [dimensions](std::int64_t e) {
      return dimensions == 2 ? e * e : e * e * e;
    };
    while (volume(edge) > cells) --edge;
  }
  return std::max<std::int64_t>(0, edge - 2 * radius);
}
