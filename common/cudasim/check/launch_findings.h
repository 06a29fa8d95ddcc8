// What was reported in this launch, so that it is reported once.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "common/cudasim/check/no_destructor.h"
#include "common/cudasim/check/shadow_cell.h"
#include "common/cudasim/runtime/diagnostics/report.h"

namespace cudasim {

struct LaunchFindings {
  // By code address.
  NoDestructor<std::map<const void*, FindingNumber>> bad_accesses;
  // By the later access's code address and the earlier one's code number and kind.
  NoDestructor<std::map<std::pair<const void*, ShadowCell>, FindingNumber>> races;
  // Warnings, by the later access's code address and the earlier one's code number.
  NoDestructor<std::set<std::pair<const void*, unsigned>>> warned;
};

extern LaunchFindings launch_findings __attribute__((visibility("hidden")));

// Counts the finding that is listed under the key once more; false if there is none.
template <class Key>
bool CountedAgain(const std::map<Key, FindingNumber>& findings, const Key& key) {
  const auto known = findings.find(key);
  if (known == findings.end()) return false;
  CountAgain(known->second, 1);
  return true;
}

}  // namespace cudasim
