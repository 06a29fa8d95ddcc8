#include "common/cudasim/check/uninitialised.h"

#include <vector>

#include "common/cudasim/check/bad_access.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/errors/fail_call.h"

namespace cudasim {
namespace {

struct Kept {
  const void* pc;
  bool raced;
  Finding finding;
  unsigned long long more;  // reads after the first
};

// Of this launch, in the order in which they happened.
std::vector<Kept>& All() {
  static auto* const all = new std::vector<Kept>;
  return *all;
}

}  // namespace

void NoteUninitialisedRead(const Access& access) {
  for (Kept& kept : All()) {
    if (kept.pc != access.pc) continue;
    ++kept.more;
    return;
  }
  All().push_back({access.pc, false, DescribeUninitialised(access), 0});
}

void BlameRaceFor(const void* pc) {
  for (Kept& kept : All()) kept.raced |= kept.pc == pc;
}

void ReportUninitialisedReads() {
  std::vector<Kept> all;
  all.swap(All());
  // A call made to fail writes nothing, and the kernel may have run before the program checks for
  // errors.
  if (CallMadeToFail() > 0) return;
  for (Kept& kept : all) {
    if (kept.raced) continue;
    const FindingNumber number = Report(kept.finding);
    CountAgain(number, kept.more);
  }
}

}  // namespace cudasim
