// counters.bzl defines the counters and the expressions of their values.
#include "common/cudasim/profile/counters.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "common/cudasim/profile/kernel_totals.h"
#include "common/cudasim/profile/occupancy.h"

namespace cudasim {
namespace {

class List {
 public:
  void Add(const char* name, double value) { counters_.push_back({name, value, ""}); }
  void Add(const char* name, std::uint64_t value) { Add(name, static_cast<double>(value)); }
  void Add(const char* name, const char* text) { counters_.push_back({name, 0, text}); }

  // The quotient of two sums of counters that were added before.
  void AddQuotient(const char* name, std::initializer_list<std::string_view> over,
                   std::initializer_list<std::string_view> under, double of_none) {
    Add(name, Ratio(Sum(over), Sum(under), of_none));
  }

  std::vector<Counter> Take() { return std::move(counters_); }

  // Only what a library's algorithm has in common with one that runs in one thread.
  std::vector<Counter> TakeAmounts() {
    static constexpr std::string_view kStarts[] = {"global_load_", "global_store_", "compulsory_",
                                                   "work",         "span",          "launches"};
    std::erase_if(counters_, [](const Counter& counter) {
      return std::none_of(std::begin(kStarts), std::end(kStarts),
                          [&](std::string_view start) { return counter.name.starts_with(start); });
    });
    return Take();
  }

 private:
  double Sum(std::initializer_list<std::string_view> names) const {
    double sum = 0;
    for (const Counter& counter : counters_) {
      if (std::find(names.begin(), names.end(), counter.name) != names.end()) sum += counter.value;
    }
    return sum;
  }

  std::vector<Counter> counters_;
};

}  // namespace

std::vector<Counter> CountersOf(const KernelProfile& profile) {
  const KernelTotals totals = TotalsOf(profile);
  const LineCounts all = totals.All();
  LineCounts shared = totals.Of(LineKind::kSharedLoad);
  shared.Add(totals.Of(LineKind::kSharedStore));
  const Occupancy occupancy =
      OccupancyOf(profile.threads(), totals.static_shared_bytes + profile.dynamic_bytes);
  List list;
#include "common/cudasim/profile/kernel_counters.inc"
  return profile.source.is_library ? list.TakeAmounts() : list.Take();
}

const std::vector<NotGradable>& CountersNotGradable() {
  // Never destroyed: the profile is written at the very end of the process.
  static const auto& list = *new std::vector<NotGradable>{
#include "common/cudasim/profile/not_gradable.inc"
  };
  return list;
}

}  // namespace cudasim
