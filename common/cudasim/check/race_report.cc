#include "common/cudasim/check/race_report.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "common/cudasim/check/bad_access.h"
#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/launch_findings.h"
#include "common/cudasim/check/order_report.h"
#include "common/cudasim/check/schedule.h"
#include "common/cudasim/check/uninitialised.h"
#include "common/cudasim/check/warp_order.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"

namespace cudasim {
namespace {

bool InOneCluster(ThreadId a, ThreadId b) {
  const std::vector<Block*>& blocks = CurrentBlock()->cluster->blocks;
  const auto has = [&](ThreadId thread) {
    return std::any_of(blocks.begin(), blocks.end(), [thread](const Block* block) {
      return block->checked->linear == BlockOf(thread);
    });
  };
  return has(a) && has(b);
}

// What would order the two threads.
std::vector<std::string> Advice(const Race& race) {
  if (race.in_flight) {
    return {"the asynchronous copy may still be under way: nothing has waited for it"};
  }
  const ThreadId self = race.self;
  const ThreadId other = ThreadIdOf(race.earlier);
  const bool across_blocks = BlockOf(self) != BlockOf(other);
  if (across_blocks && race.access.synchronises && (race.earlier & kSynchronised) != 0) {
    const bool earlier_is_narrow = codes.block_scope[CodeOf(race.earlier)];
    if (earlier_is_narrow || (race.access.order & kBlockScope) != 0) {
      return {
          "an atomic operation of block scope is atomic for its own block only: the scope is too "
          "narrow for two blocks"};
    }
  }
  std::vector<std::string> flag = ExplainFlag(race);
  if (!flag.empty()) return flag;
  if (across_blocks && InOneCluster(self, other)) {
    return {"the cluster's barrier does not lie between the two: call cluster.sync()"};
  }
  if (across_blocks) {
    return {"nothing orders different blocks here: use atomics, or separate launches"};
  }
  if (race.access.writes() && codes.places[CodeOf(race.earlier)] == race.access.pc) {
    return {
        "two threads write the same element: check its index, or use atomics; in a loop also look "
        "at "
        "the barriers between rounds"};
  }
  return {SameWarp(self, other) ? "no __syncthreads() or __syncwarp() lies between the two"
                                : "no __syncthreads() lies between the two"};
}

const char* EarlierVerb(const Race& race) {
  const ShadowCell cell = race.earlier;
  if (race.in_flight) return "asynchronous copy";
  if ((cell & kWrote) == 0) return "read";
  return (cell & kSynchronised) != 0 ? "atomic or volatile write" : "write";
}

FindingNumber ReportNewRace(const Race& race) {
  const auto& [access, self, earlier, word, shared, in_flight] = race;
  const char* const earlier_verb = EarlierVerb(race);
  const ThreadId other = ThreadIdOf(earlier);
  const Place place = Locate(access.pc);
  const Place other_place = Locate(codes.places[CodeOf(earlier)]);
  const std::string here = place.ToString();
  const std::string there = other_place.ToString();
  Finding finding{
      "data_race",
      DescribeKernel() + ", " + here + ": " + Verb(access) + " of " +
          (shared ? "shared" : "global") + " memory races with the " + earlier_verb + " at " +
          there,
      {DescribeThread(self) + ": " + Verb(access) + " of " + Bytes(access.bytes) + " at " + here,
       DescribeThread(other) + ": " + earlier_verb + " at " + there,
       "memory: " + DescribeMemory(access), DescribeLaunch()},
      {{Verb(access), place, DescribeIndexOf(self), DescribeBlockOf(self)},
       {earlier_verb, other_place, DescribeIndexOf(other), DescribeBlockOf(other)}}};
  const Site& passed = ThisBlock().passed;
  if (passed.file != nullptr && BlockOf(self) == BlockOf(other)) {
    finding.details.push_back("both had passed __syncthreads() at " + PlaceOf(passed).ToString());
  }
  for (std::string& line : Advice(race)) finding.details.push_back(std::move(line));
  NameMemory(access, finding);
  return Report(finding);
}

}  // namespace

void ReportRace(const Race& race) {
  const Access& access = race.access;
  const ShadowCell earlier = race.earlier;
  constexpr ShadowCell kPlaceAndKind =
      ShadowCell{kCodes - 1} << kCodeShift | kWrote | kSynchronised;
  const std::pair key(access.pc, earlier & kPlaceAndKind);
  if (CountedAgain(*launch_findings.races, key)) return;
  BlameRaceFor(access.pc);
  BlameRaceFor(codes.places[CodeOf(earlier)]);
  SettleStaleWrite();
  TellStaleWrites();
  launch_findings.races->emplace(key, ReportNewRace(race));
}

}  // namespace cudasim
