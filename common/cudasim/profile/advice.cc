// Advice for a line or a kernel, as text with numbers.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "common/cudasim/profile/findings.h"
#include "common/cudasim/profile/kernel_totals.h"
#include "common/cudasim/profile/occupancy.h"
#include "common/cudasim/runtime/device/device.h"

namespace cudasim {
namespace {

// Thresholds of the advice: lines and kernels that reach them get none.
constexpr double kGoodEfficiency = 0.8;
constexpr double kGoodConflict = 1.25;
constexpr double kGoodSerialisation = 4;
constexpr double kGoodBranchEfficiency = 0.8;
constexpr double kGoodOccupancy = 0.5;
constexpr double kMostLanes = 24;                 // of 32: nearly all
constexpr double kGoodShareOfThreads = 1.0 / 16;  // parallelism over the number of threads
constexpr double kLargestShareOfAThread = 0.5;    // of the work
// The least work of a launch, in operations, for which its parallelism matters.
constexpr std::uint64_t kWorkForManyThreads = 10'000;
constexpr std::uint64_t kWorkForTheGpu = 1'000'000;
constexpr std::uint64_t kGpuLanes = 128 * kMultiprocessors;  // an H100's multiprocessor has 128

bool IsStore(LineKind kind) {
  return kind == LineKind::kGlobalStore || kind == LineKind::kSharedStore;
}

std::string Verb(const LineFinding& line) { return IsStore(line.kind) ? "write" : "read"; }

std::string Subject(const LineFinding& line) {
  return (IsStore(line.kind) ? "stores to " : "loads from ") + line.target.name +
         (line.target.name.find(' ') == std::string::npos ? "[]" : "");
}

std::string Distance(std::int64_t stride) {
  const std::uint64_t size = static_cast<std::uint64_t>(std::llabs(stride));
  return WithCommas(size) + (size == 1 ? " byte" : " bytes");
}

std::string GlobalAdvice(const LineFinding& line) {
  const LineCounts& c = line.counts;
  if (Ratio(c.ideal_sectors, c.sectors, 1) >= kGoodEfficiency) return "";
  const double sectors = Ratio(c.sectors, c.requests, 0);
  const double ideal = Ratio(c.ideal_sectors, c.requests, 0);
  const std::string touch = Subject(line) + " touch " + Rounded(sectors) + " sectors where " +
                            Rounded(ideal) + " would do: ";
  const std::string text = touch + "neighbouring threads " + Verb(line) + " addresses ";
  if (!c.strides.IsRegular()) return text + "in no regular order";
  const std::int64_t stride = c.strides.Typical();
  if (stride == static_cast<std::int64_t>(c.bytes)) {
    const double lanes = Ratio(c.lanes, c.requests, 0);
    return touch + (lanes < kMostLanes
                        ? "only " + Rounded(lanes) + " of 32 lanes take part, and not side by side"
                        : "the first thread's address is not a multiple of 32 bytes");
  }
  return text + Distance(stride) + " apart";
}

// "tile[][32]" if the array has two dimensions, else its name.
std::string Shape(const Target& target) {
  if (target.columns == 0) return target.name;
  return target.name + "[][" + std::to_string(target.columns) + "]";
}

// Columns of the rows that a column's reader finds in as many banks as can be while each row stays
// aligned for the widest access to the array. 0: the rows are so already.
std::int64_t PaddedColumns(const LineFinding& line) {
  constexpr std::int64_t kBytesOfBanks = 128;
  const std::int64_t element = line.target.element_bytes;
  const std::int64_t row = line.target.columns * element;
  const std::int64_t step = std::max<std::int64_t>(element, line.widest);
  const std::int64_t aligned = (row + step - 1) / step * step;
  const auto shared = [](std::int64_t bytes) { return std::gcd(bytes, kBytesOfBanks); };
  if (aligned == row && shared(row) <= shared(step)) return 0;
  std::int64_t padded = aligned == row ? row + step : aligned;
  while (shared(padded) > shared(step)) padded += step;
  return padded % element == 0 ? padded / element : 0;
}

std::string SharedAdvice(const LineFinding& line) {
  const LineCounts& c = line.counts;
  const double degree = Ratio(c.wavefronts, c.ideal_wavefronts, 1);
  if (degree < kGoodConflict) return "";
  std::string text = Shape(line.target) + ": up to " + Rounded(c.worst_degree, 0) +
                     " lanes hit one bank when they " + Verb(line) + ", " + Rounded(degree) +
                     " on average: ";
  const std::int64_t stride = c.strides.Typical();
  const std::int64_t row = std::int64_t{line.target.columns} * line.target.element_bytes;
  if (c.strides.IsRegular() && row > 0 && std::llabs(stride) == row) {
    const std::int64_t padded = PaddedColumns(line);
    if (padded > 0) return text + "pad the row to " + std::to_string(padded);
  }
  if (!c.strides.IsRegular()) return text + "their addresses follow no regular order";
  return text + "neighbouring threads " + Verb(line) + " addresses " + Distance(stride) + " apart";
}

std::string AtomicAdvice(const LineFinding& line) {
  const LineCounts& c = line.counts;
  const double same = Ratio(c.contended, c.requests, 0);
  if (same < kGoodSerialisation) return "";
  const bool shared = line.kind == LineKind::kSharedAtomic;
  return "atomics on " + line.target.name + ": " + Rounded(same) + " of " +
         Rounded(Ratio(c.lanes, c.requests, 0)) +
         " lanes update the same address, one after another: " +
         (shared ? "give each warp its own copy, or add up in registers first"
                 : "add up in shared memory or registers first, then update once for each block");
}

// Brent's theorem: on p lanes a kernel takes at least max(work / p, span).
std::string ParallelismAdvice(const KernelProfile& profile) {
  if (profile.launches == 0) return "";
  const std::uint64_t work = profile.work / profile.launches;
  const auto threads = static_cast<double>(profile.threads() * profile.thread_blocks());
  const double parallelism = ParallelismOf(profile);
  const double share =
      Ratio(static_cast<double>(profile.busiest_thread), static_cast<double>(profile.work), 0);
  if (work >= kWorkForManyThreads && threads > 1 && share >= kLargestShareOfAThread) {
    return "parallelism: one thread does " + Rounded(100 * share, 0) +
           " % of the work, and the others wait for it or have returned: share the work out";
  }
  if (work >= kWorkForManyThreads && parallelism < kGoodShareOfThreads * threads) {
    return "parallelism: work / span is " + Rounded(parallelism) + " with " +
           WithCommas(static_cast<std::uint64_t>(threads)) +
           " threads: most of them wait, or return while a few go on: share the work out evenly";
  }
  if (work >= kWorkForTheGpu && parallelism < static_cast<double>(kGpuLanes) / 4) {
    return "parallelism: work / span is " + Rounded(parallelism) + ", so no more of the GPU's " +
           WithCommas(kGpuLanes) +
           " lanes can be busy on average: launch more threads that each do less";
  }
  return "";
}

}  // namespace

std::string WithCommas(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (auto i = static_cast<std::ptrdiff_t>(text.size()) - 3; i > 0; i -= 3) {
    text.insert(static_cast<std::size_t>(i), 1, ',');
  }
  return text;
}

std::string Rounded(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  std::string result = text;
  if (result.find('.') == std::string::npos) return result;
  while (result.back() == '0') result.pop_back();
  if (result.back() == '.') result.pop_back();
  return result;
}

std::string AdviceFor(const LineFinding& line) {
  switch (line.kind) {
    case LineKind::kGlobalLoad:
    case LineKind::kGlobalStore:
      return GlobalAdvice(line);
    case LineKind::kSharedLoad:
    case LineKind::kSharedStore:
      return SharedAdvice(line);
    default:
      return AtomicAdvice(line);
  }
}

std::vector<std::string> KernelAdvice(const KernelProfile& profile) {
  const KernelTotals totals = TotalsOf(profile);
  std::vector<std::string> advice;
  const double divergent = Ratio(totals.divergent_branches, totals.branches, 0);
  if (1 - divergent < kGoodBranchEfficiency) {
    advice.push_back("divergence: at " + WithCommas(totals.divergent_branches) + " of " +
                     WithCommas(totals.branches) +
                     " branches the lanes of a warp diverge, and each side runs alone: let whole "
                     "warps take the same side");
  }
  const Occupancy occupancy =
      OccupancyOf(profile.threads(), totals.static_shared_bytes + profile.dynamic_bytes);
  if (occupancy.fraction < kGoodOccupancy) {
    const std::string limit = occupancy.limit;
    advice.push_back(
        "occupancy: " + Rounded(100 * occupancy.fraction) + " % of a multiprocessor's warps: " +
        (limit == "shared_memory"
             ? WithCommas(totals.static_shared_bytes + profile.dynamic_bytes) +
                   " bytes of shared memory leave room for " +
                   std::to_string(occupancy.resident_blocks) + " blocks"
             : "blocks of " + std::to_string(profile.threads()) + " threads, of which at most " +
                   std::to_string(occupancy.resident_blocks) + " fit: use larger blocks"));
  }
  const std::string parallelism = ParallelismAdvice(profile);
  if (!parallelism.empty()) advice.push_back(parallelism);
  return advice;
}

}  // namespace cudasim
