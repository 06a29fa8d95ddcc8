// The profile as a table for students.
#include <algorithm>
#include <iterator>

#include "common/cudasim/instrument/call_account.h"
#include "common/cudasim/profile/findings.h"
#include "common/cudasim/profile/kernel_totals.h"
#include "common/cudasim/profile/occupancy.h"
#include "common/cudasim/profile/profile_report.h"
#include "common/cudasim/profile/timeline_text.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/streams/timeline.h"

namespace cudasim {
namespace {

constexpr std::size_t kMaxAdvice = 8;  // lines of one kernel with advice

constexpr const char* kHeads[2][12] = {
    {"kernel", "launches", "memory", "sectors/", "effi-", "bank", "lanes at one", "branches",
     "occu-", "work", "span", "parallel-"},
    {"", "", "requests", "request", "ciency", "conflict", "address", "uniform", "pancy", "", "",
     "ism"}};

using Row = std::vector<std::string>;

// All configurations of one kernel.
struct KernelGroup {
  const KernelProfile* largest;  // the configuration with most requests
  std::uint64_t launches;        // of all configurations
  unsigned shapes;               // number of configurations
};

std::vector<KernelGroup> Groups() {
  std::vector<KernelGroup> groups;
  for (const KernelProfile& profile : Profiles()) {
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const KernelGroup& group) {
      return std::string(group.largest->source.name) == profile.source.name &&
             group.largest->source.line == profile.source.line;
    });
    if (found == groups.end()) {
      groups.push_back({&profile, profile.launches, 1});
      continue;
    }
    found->launches += profile.launches;
    ++found->shapes;
    const auto requests = [](const KernelProfile& p) { return TotalsOf(p).All().requests; };
    if (requests(profile) > requests(*found->largest)) found->largest = &profile;
  }
  return groups;
}

std::string Percent(double fraction) { return Rounded(100 * fraction) + " %"; }

std::string OrNone(bool any, const std::string& text) { return any ? text : "-"; }

Row RowOf(const KernelGroup& group) {
  const KernelProfile& profile = *group.largest;
  const KernelTotals totals = TotalsOf(profile);
  LineCounts global = totals.Of(LineKind::kGlobalLoad);
  global.Add(totals.Of(LineKind::kGlobalStore));
  LineCounts shared = totals.Of(LineKind::kSharedLoad);
  shared.Add(totals.Of(LineKind::kSharedStore));
  LineCounts atomics = totals.Of(LineKind::kGlobalAtomic);
  atomics.Add(totals.Of(LineKind::kSharedAtomic));
  const Occupancy occupancy =
      OccupancyOf(profile.threads(), totals.static_shared_bytes + profile.dynamic_bytes);
  return {profile.source.name,
          WithCommas(group.launches),
          WithCommas(totals.All().requests),
          OrNone(global.requests > 0, Rounded(Ratio(global.sectors, global.requests, 0), 2)),
          OrNone(global.requests > 0, Percent(Ratio(global.ideal_sectors, global.sectors, 1))),
          OrNone(shared.requests > 0, Rounded(shared.worst_degree) + "-way"),
          OrNone(atomics.requests > 0, Rounded(Ratio(atomics.contended, atomics.requests, 0))),
          OrNone(totals.branches > 0 && !profile.source.is_library,
                 Percent(1 - Ratio(totals.divergent_branches, totals.branches, 0))),
          OrNone(!profile.source.is_library, Percent(occupancy.fraction)),
          WithCommas(profile.work),
          WithCommas(profile.span),
          Rounded(ParallelismOf(profile))};
}

// Columns as wide as their widest entry; the first is words, the others numbers.
std::string Aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - row[i].size(), ' ');
      line += i == 0 ? row[i] + pad : "  " + pad + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string DetailsOf(const KernelGroup& group) {
  const KernelProfile& profile = *group.largest;
  std::string text = "\n" + std::string(profile.source.name) + ", " + profile.source.file + ":" +
                     std::to_string(profile.source.line) + "";
  if (profile.source.is_library) {
    return text + ": counted as the parallel algorithm for which it stands\n";
  }
  text += ", grid " + ToString(profile.grid) + ", block " + ToString(profile.block);
  if (group.shapes > 1) {
    text += " (the largest of " + std::to_string(group.shapes) + " configurations)";
  }
  text += "\n";
  std::size_t told = 0;
  std::size_t more = 0;
  for (const LineFinding& line : LinesOf(profile)) {
    if (line.advice.empty()) continue;
    if (++told > kMaxAdvice) {
      ++more;
      continue;
    }
    text += "  " + line.file + ":" + std::to_string(line.line) + ": " + line.advice + "\n";
  }
  if (more > 0) text += "  and " + std::to_string(more) + " more lines: see the JSON\n";
  const std::vector<std::string> advice = KernelAdvice(profile);
  for (const std::string& word : advice) text += "  " + word + "\n";
  if (told == 0 && advice.empty()) text += "  no inefficiency found\n";
  return text;
}

}  // namespace

std::string ProfileAsTable() {
  std::vector<Row> rows{Row(std::begin(kHeads[0]), std::end(kHeads[0])),
                        Row(std::begin(kHeads[1]), std::end(kHeads[1]))};
  const std::vector<KernelGroup> groups = Groups();
  std::string details;
  for (const KernelGroup& group : groups) {
    rows.push_back(RowOf(group));
    details += DetailsOf(group);
  }
  return "cudasim: profile: what an NVIDIA H100 80GB HBM3 would do, counted on a CPU; no "
         "times\n\n" +
         Aligned(rows) + details + DrawTimeline(RecordedTrace(), TimelineOfCall(), PageFaults()) +
         "\n" + WithCommas(HostDeviceBytes()) + " bytes moved between host and device\n";
}

}  // namespace cudasim
