#include "common/cudasim/profile/samples_json.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include "common/cudasim/profile/code.h"
#include "common/cudasim/profile/kernel_totals.h"
#include "common/cudasim/profile/occupancy.h"
#include "common/cudasim/profile/timeline_text.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"

namespace cudasim {
namespace {

constexpr std::size_t kMostOperations = 400;  // of a call that are drawn
constexpr std::uint64_t kRow = 128;           // bytes of a cache line, and of a row of banks

// The lanes' addresses from the begin of the row of the lowest one, -1: takes no part.
std::string SampleJson(const char* which, const RequestSample& sample) {
  const std::uint64_t lowest = LowestAddress(sample.access);
  const std::uint64_t row = lowest / kRow * kRow;
  Fields fields;
  fields.Add("which", JsonQuoted(which));
  fields.Add("cost", sample.cost.taken);
  fields.Add("ideal", sample.cost.ideal);
  fields.Add("block", sample.block);
  fields.Add("warp", static_cast<std::uint64_t>(sample.warp));
  fields.Add("bytes", static_cast<std::uint64_t>(sample.access.bytes));
  fields.Add("lowest", lowest - row);
  fields.Add("offset", sample.offset);
  std::string addresses;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    addresses += lane == 0 ? "" : ", ";
    addresses +=
        sample.access.IsActive(lane) ? std::to_string(sample.access.address[lane] - row) : "-1";
  }
  fields.Add("addresses", "[" + addresses + "]");
  return fields.Take();
}

using LineKey = std::pair<std::string, int>;

LineKey LineOf(const KernelProfile& profile, CodeOffset pc) {
  const Place called{profile.source.file, profile.source.line, ""};
  const Place place = Locate(FromCodeOffset(pc), called);
  return {place.file, place.line};
}

void AddLine(const LineKey& line, Fields& fields) {
  fields.Add("file", JsonQuoted(line.first));
  fields.Add("line", line.second);
}

// Basic blocks that threads ran, and their accesses, by line.
std::string WorkJson(const KernelProfile& profile) {
  std::map<LineKey, std::uint64_t> lines;
  for (const auto& [pc, block] : profile.blocks) lines[LineOf(profile, pc)] += block.lanes;
  for (const auto& [key, instruction] : profile.instructions) {
    lines[LineOf(profile, instruction.pc)] += instruction.counts.lanes;
  }
  return JsonArray(lines, [](const auto& line) {
    Fields fields;
    AddLine(line.first, fields);
    fields.Add("operations", line.second);
    return fields.Take();
  });
}

std::string SideJson(const KernelProfile& profile, std::uint32_t lanes, CodeOffset next) {
  Fields fields;
  fields.Add("lanes", static_cast<std::uint64_t>(lanes));
  AddLine(LineOf(profile, next), fields);
  return fields.Take();
}

std::string BranchesJson(const KernelProfile& profile) {
  std::map<CodeOffset, BlockRuns> divergent;
  for (const auto& [pc, block] : profile.blocks) {
    if (block.divergent > 0) divergent.emplace(pc, block);
  }
  return JsonArray(divergent, [&](const auto& branch) {
    const BlockRuns& block = branch.second;
    Fields fields;
    AddLine(LineOf(profile, branch.first), fields);
    fields.Add("runs", block.runs);
    fields.Add("divergent", block.divergent);
    fields.Add("sides", "[" + SideJson(profile, block.sides[0], block.next[0]) + ", " +
                            SideJson(profile, block.sides[1], block.next[1]) + "]");
    return fields.Take();
  });
}

std::string ArrivalsJson(const std::vector<BarrierTrace::Arrivals>& warps) {
  return JsonArray(warps, [](const BarrierTrace::Arrivals& warp) {
    return "[" + std::to_string(warp.threads) + ", " + std::to_string(warp.first) + ", " +
           std::to_string(warp.last) + "]";
  });
}

std::string BarriersJson(const BarrierTrace& trace) {
  Fields fields;
  fields.Add("block", trace.block);
  fields.Add("waited", trace.waited);
  fields.Add("released", trace.released);
  fields.Add("ends", ArrivalsJson(trace.ends));
  fields.Add("barriers", JsonArray(trace.barriers, [](const BarrierTrace::Barrier& barrier) {
               Fields of_barrier;
               AddLine({barrier.site.file == nullptr ? "" : barrier.site.file, barrier.site.line},
                       of_barrier);
               of_barrier.Add("released", barrier.released);
               of_barrier.Add("arrivals", ArrivalsJson(barrier.warps));
               return of_barrier.Take();
             }));
  return fields.Take();
}

std::string LaunchJson(const LaunchSample& launch) {
  Fields fields;
  fields.Add("kernel", JsonQuoted(launch.kernel));
  AddLine(
      {launch.launched_at.file == nullptr ? "" : launch.launched_at.file, launch.launched_at.line},
      fields);
  fields.Add("child", std::string(launch.is_child ? "true" : "false"));
  fields.Add("operation", static_cast<std::uint64_t>(launch.operation));
  fields.Add("begins", launch.begins);
  fields.Add("work", launch.work);
  fields.Add("span", launch.span);
  return fields.Take();
}

std::string IntervalJson(const Interval& interval) {
  return "[" + std::to_string(interval.begin) + ", " + std::to_string(interval.end) + "]";
}

template <class Entry>
std::vector<Entry> FirstOf(const std::vector<Entry>& entries) {
  const std::size_t count = std::min(entries.size(), kMostOperations);
  return {entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::string OperationsJson(const CallSample& call) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < call.trace.operations.size() && shown.size() < kMostOperations; ++i) {
    if (call.trace.operations[i].engine != Engine::kNone) shown.push_back(i);
  }
  return JsonArray(shown, [&](std::size_t i) {
    const TimedOperation& operation = call.trace.operations[i];
    Fields fields;
    fields.Add("index", static_cast<std::uint64_t>(i));
    fields.Add("engine", JsonQuoted(NameOf(operation.engine)));
    fields.Add("stream", static_cast<std::uint64_t>(operation.stream));
    fields.Add("time", IntervalJson(call.layout.operations[i]));
    return fields.Take();
  });
}

}  // namespace

void AddSamples(const LineFinding& line, Fields& fields) {
  const RequestSamples& samples = line.counts.samples;
  fields.Add("cost", line.cost);
  fields.Add("waste", line.waste);
  const std::array<std::pair<const char*, const RequestSample*>, 3> chosen{
      {{"first", samples.First()}, {"median", samples.Median()}, {"worst", samples.Worst()}}};
  const auto shown = std::span(chosen).last(KeepsTraces() ? 3 : 1);
  fields.Add("samples", JsonArray(shown, [](const auto& sample) {
               return sample.second == nullptr ? "null" : SampleJson(sample.first, *sample.second);
             }));
  fields.Add("costs", JsonArray(samples.all(), [](const RequestSample& sample) {
               return "[" + std::to_string(sample.cost.taken) + ", " +
                      std::to_string(sample.cost.ideal) + ", " + std::to_string(sample.requests) +
                      "]";
             }));
}

std::string SamplesJson(const KernelProfile& profile) {
  Fields fields;
  fields.Add("branches", BranchesJson(profile));
  if (!KeepsTraces()) return fields.Take();
  const KernelTotals totals = TotalsOf(profile);
  const Occupancy occupancy =
      OccupancyOf(profile.threads(), totals.static_shared_bytes + profile.dynamic_bytes);
  fields.Add("work", WorkJson(profile));
  fields.Add("barriers", BarriersJson(profile.barrier_trace));
  fields.Add("resident_blocks", JsonArray(occupancy.limits, [](const Occupancy::Limit& limit) {
               return "[" + JsonQuoted(limit.resource) + ", " + std::to_string(limit.blocks) + "]";
             }));
  return fields.Take();
}

std::string CallsJson(const std::vector<CallSample>& calls) {
  return JsonArray(calls, [](const CallSample& call) {
    Fields fields;
    fields.Add("kernels", JsonQuoted(call.kernels));
    fields.Add("calls", call.calls);
    fields.Add("all_launches", static_cast<std::uint64_t>(call.launches.size()));
    fields.Add("launches", JsonArray(FirstOf(call.launches), LaunchJson));
    fields.Add("operations", OperationsJson(call));
    fields.Add("host_work", JsonArray(FirstOf(call.layout.host_work), IntervalJson));
    fields.Add("host_waits", JsonArray(FirstOf(call.layout.host_waits), IntervalJson));
    fields.Add("makespan", static_cast<std::uint64_t>(call.layout.makespan));
    return fields.Take();
  });
}

}  // namespace cudasim
