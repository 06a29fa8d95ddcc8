// The reference: each model by its definition, in whole numbers wherever the answer is one.

#include "labs/performance_models/performance_models.h"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

namespace {

constexpr std::uint64_t kSectorBytes = 32;
constexpr std::uint64_t kWordBytes = 4;
constexpr std::uint64_t kBanks = 32;
constexpr std::int64_t kMostRadius = 1 << 20;

std::int64_t DivideUp(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0); }

std::int64_t RoundUp(std::int64_t a, std::int64_t unit) { return DivideUp(a, unit) * unit; }

bool IsFraction(double value) { return value >= 0 && value <= 1; }

bool IsActive(const WarpAccess& access, int lane) { return (access.active >> lane & 1) != 0; }

bool IsValid(const WarpAccess& access) {
  switch (access.bytes) {
    case 1:
    case 2:
    case 4:
    case 8:
    case 16:
      break;
    default:
      return false;
  }
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    if (IsActive(access, lane) && access.address[lane] % access.bytes != 0) return false;
  }
  return true;
}

// Wavefronts of the active lanes in [begin, end).
std::int32_t GroupWavefronts(const WarpAccess& access, int begin, int end) {
  std::set<std::uint64_t> words;
  for (int lane = begin; lane < end; ++lane) {
    if (!IsActive(access, lane)) continue;
    const std::uint64_t first = access.address[lane] / kWordBytes;
    const std::uint64_t last = (access.address[lane] + access.bytes - 1) / kWordBytes;
    for (std::uint64_t word = first; word <= last; ++word) words.insert(word);
  }
  std::array<std::int32_t, kBanks> wanted{};
  for (const std::uint64_t word : words) ++wanted[word % kBanks];
  return *std::max_element(wanted.begin(), wanted.end());
}

bool IsValid(std::span<const std::int32_t> row_lengths, std::int32_t index_bytes,
             std::int32_t value_bytes) {
  return index_bytes >= 1 && value_bytes >= 1 &&
         std::all_of(row_lengths.begin(), row_lengths.end(),
                     [](auto length) { return length >= 0; });
}

// Whether edge^dimensions cells fit into so many cells.
bool Fits(std::int64_t edge, int dimensions, std::int64_t cells) {
  for (int i = 0; i < dimensions; ++i) cells /= edge;
  return cells >= 1;
}

}  // namespace

std::optional<double> AmdahlSpeedup(double serial_fraction, std::int64_t processors) {
  if (!IsFraction(serial_fraction) || processors < 1) return std::nullopt;
  return 1 / (serial_fraction + (1 - serial_fraction) / static_cast<double>(processors));
}

std::optional<double> GustafsonSpeedup(double serial_fraction, std::int64_t processors) {
  if (!IsFraction(serial_fraction) || processors < 1) return std::nullopt;
  return serial_fraction + (1 - serial_fraction) * static_cast<double>(processors);
}

// Kahn's algorithm, "Topological sorting of large networks" (1962), with the earliest beginnings.
std::optional<WorkAndSpan> MeasureTasks(std::span<const std::int64_t> costs,
                                        std::span<const Dependence> dependences) {
  const std::size_t n = costs.size();
  std::vector<std::vector<std::int32_t>> after(n);
  std::vector<std::int64_t> waits_for(n);
  const auto is_task = [n](std::int32_t task) {
    return task >= 0 && static_cast<std::size_t>(task) < n;
  };
  for (const Dependence& dependence : dependences) {
    if (!is_task(dependence.before) || !is_task(dependence.after)) return std::nullopt;
    after[dependence.before].push_back(dependence.after);
    ++waits_for[dependence.after];
  }
  std::vector<std::int32_t> ready;
  for (std::size_t task = 0; task < n; ++task) {
    if (costs[task] < 0) return std::nullopt;
    if (waits_for[task] == 0) ready.push_back(static_cast<std::int32_t>(task));
  }
  std::vector<std::int64_t> begin(n);
  WorkAndSpan result{};
  for (std::size_t done = 0; done < ready.size(); ++done) {
    const std::int32_t task = ready[done];
    const std::int64_t end = begin[task] + costs[task];
    result.work += costs[task];
    result.span = std::max(result.span, end);
    for (const std::int32_t next : after[task]) {
      begin[next] = std::max(begin[next], end);
      if (--waits_for[next] == 0) ready.push_back(next);
    }
  }
  if (ready.size() < n) return std::nullopt;
  return result;
}

std::optional<TimeBounds> BoundTime(WorkAndSpan tasks, std::int64_t processors) {
  if (processors < 1 || tasks.span < 0 || tasks.work < tasks.span) return std::nullopt;
  if (tasks.work >= 1 && tasks.span == 0) return std::nullopt;
  return TimeBounds{std::max(DivideUp(tasks.work, processors), tasks.span),
                    (tasks.work - tasks.span) / processors + tasks.span};
}

std::optional<Occupancy> FitBlocks(Multiprocessor machine, Launch launch) {
  if (launch.threads_per_block < 1 || launch.registers_per_thread < 0 ||
      launch.shared_bytes_per_block < 0) {
    return std::nullopt;
  }
  const std::int64_t warps = DivideUp(launch.threads_per_block, kWarpLanes);
  std::array<std::int64_t, 4> allowed{};  // in the order of Limit
  if (launch.threads_per_block <= machine.max_threads_per_block) {
    allowed[0] = machine.max_threads / kWarpLanes / warps;
  }
  allowed[1] = machine.max_blocks;
  if (launch.registers_per_thread == 0) {
    allowed[2] = std::numeric_limits<std::int64_t>::max();
  } else if (launch.registers_per_thread <= machine.max_registers_per_thread) {
    const std::int64_t registers =
        RoundUp(std::int64_t{kWarpLanes} * launch.registers_per_thread, machine.register_unit);
    const std::int64_t warps_of_scheduler = machine.registers / machine.schedulers / registers;
    allowed[2] = warps_of_scheduler * machine.schedulers / warps;
  }
  const std::int64_t asked = std::int64_t{launch.shared_bytes_per_block} + machine.shared_reserved;
  allowed[3] = asked == 0 ? std::numeric_limits<std::int64_t>::max()
                          : machine.shared_bytes / RoundUp(asked, machine.shared_unit);
  const auto fewest = std::min_element(allowed.begin(), allowed.end());
  const auto blocks = static_cast<std::int32_t>(*fewest);
  return Occupancy{blocks, static_cast<std::int32_t>(blocks * warps),
                   static_cast<Limit>(fewest - allowed.begin())};
}

std::optional<std::int32_t> CountSectors(WarpAccess access) {
  if (!IsValid(access)) return std::nullopt;
  std::set<std::uint64_t> sectors;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    if (IsActive(access, lane)) sectors.insert(access.address[lane] / kSectorBytes);
  }
  return static_cast<std::int32_t>(sectors.size());
}

std::optional<BankCost> CountWavefronts(WarpAccess access) {
  if (!IsValid(access)) return std::nullopt;
  const int groups = std::max(static_cast<int>(access.bytes / kWordBytes), 1);
  const int lanes = kWarpLanes / groups;
  BankCost cost{};
  for (int begin = 0; begin < kWarpLanes; begin += lanes) {
    const std::int32_t wavefronts = GroupWavefronts(access, begin, begin + lanes);
    cost.wavefronts += wavefronts;
    cost.conflicts += std::max(wavefronts - 1, 0);
  }
  return cost;
}

std::optional<Rating> RateKernel(KernelCounts kernel, Machine machine) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto is_speed = [](double value) { return value > 0 && value < kInfinity; };
  if (kernel.operations < 0 || kernel.loads < 0 || kernel.stores < 0 || kernel.element_bytes < 1 ||
      !is_speed(machine.gflops) || !is_speed(machine.gigabytes_per_second)) {
    return std::nullopt;
  }
  const auto operations = static_cast<double>(kernel.operations);
  const double bytes = static_cast<double>(kernel.loads + kernel.stores) * kernel.element_bytes;
  if (operations == 0 && bytes == 0) return std::nullopt;
  const double intensity = operations / bytes;
  const double slope = intensity * machine.gigabytes_per_second;
  return Rating{intensity, std::min(machine.gflops, slope), slope < machine.gflops};
}

std::optional<FormatBytes> CompareFormats(std::span<const std::int32_t> row_lengths,
                                          std::int32_t index_bytes, std::int32_t value_bytes) {
  if (!IsValid(row_lengths, index_bytes, value_bytes)) return std::nullopt;
  const auto rows = static_cast<std::int64_t>(row_lengths.size());
  const std::int64_t entry = std::int64_t{index_bytes} + value_bytes;
  std::int64_t entries = 0;
  std::int64_t longest = 0;
  for (const std::int64_t length : row_lengths) {
    entries += length;
    longest = std::max(longest, length);
  }
  const std::int64_t csr = entries * entry + (rows + 1) * index_bytes;
  const std::int64_t ell = rows * longest * entry;
  return FormatBytes{csr, ell, ell < csr};
}

// One slot more costs a slot for each row, and saves a COO entry for each row that is longer than
// the width. Fewer and fewer rows are, so the best width is the first that no more slot improves.
std::optional<HybridLayout> ChooseHybridWidth(std::span<const std::int32_t> row_lengths,
                                              std::int32_t index_bytes, std::int32_t value_bytes) {
  if (!IsValid(row_lengths, index_bytes, value_bytes)) return std::nullopt;
  const auto rows = static_cast<std::int64_t>(row_lengths.size());
  const std::int64_t slot = std::int64_t{index_bytes} + value_bytes;
  const std::int64_t entry = slot + index_bytes;
  std::vector<std::int32_t> lengths(row_lengths.begin(), row_lengths.end());
  std::sort(lengths.begin(), lengths.end());
  std::int64_t width = 0;
  std::int64_t longer = rows;
  for (const std::int32_t length : lengths) {
    if (longer * entry > rows * slot) width = length;
    --longer;
  }
  std::int64_t bytes = rows * width * slot;
  for (const std::int64_t length : lengths) {
    bytes += std::max<std::int64_t>(length - width, 0) * entry;
  }
  return HybridLayout{static_cast<std::int32_t>(width), bytes};
}

std::optional<HaloCells> CountHalo(std::span<const std::int64_t> extents, std::int64_t radius,
                                   Stencil stencil) {
  if (extents.empty() || extents.size() > 3 || radius < 0) return std::nullopt;
  std::int64_t tile = 1;
  std::int64_t box = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 1) return std::nullopt;
    tile *= extent;
    box *= extent + 2 * radius;
  }
  if (stencil == Stencil::kBox) return HaloCells{tile, box - tile};
  std::int64_t halo = 0;
  for (const std::int64_t extent : extents) halo += 2 * radius * (tile / extent);
  return HaloCells{tile, halo};
}

std::optional<std::int64_t> LargestTile(std::int64_t shared_bytes, std::int32_t element_bytes,
                                        std::int32_t dimensions, std::int64_t radius) {
  if (shared_bytes < 0 || element_bytes < 1 || dimensions < 1 || dimensions > 3 || radius < 0 ||
      radius > kMostRadius) {
    return std::nullopt;
  }
  const std::int64_t cells = shared_bytes / element_bytes;
  std::int64_t fits = 0;
  for (std::int64_t step = std::int64_t{1} << 62; step > 0; step /= 2) {
    if (Fits(fits + step, dimensions, cells)) fits += step;
  }
  return std::max<std::int64_t>(fits - 2 * radius, 0);
}
