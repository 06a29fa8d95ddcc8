// Calls in a test that is linked with the functions it calls: direct ones, so that a debugger,
// a sanitizer and the simulator see the student's own stack.

#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include "common/lab/call/call.h"
#include "common/lab/call/call_observer.h"
#include "common/lab/call/callers.h"
#include "common/lab/call/counted_library.h"
#include "common/lab/call/failing_call.h"
#include "common/lab/call/team_size.h"
#include "common/lab/exports/concurrent_callers.h"
#include "common/lab/exports/exports.h"
#include "common/lab/race_checker/openmp_setter.h"
#include "common/lab/test_program/find_function.h"
#include "common/lab/test_program/in_process_simulator.h"
#include "common/lab/test_program/not_written_log.h"
#include "common/lab/testing/timed_pairs.h"

// Null in a program without OpenMP.
extern "C" __attribute__((weak)) int omp_get_max_threads();
extern "C" __attribute__((weak)) void omp_set_num_threads(int);
extern "C" __attribute__((weak)) int omp_get_max_active_levels();
extern "C" __attribute__((weak)) void omp_set_max_active_levels(int);

namespace lab {
namespace {

const OpenMpSetter& OpenMp() {
  static const OpenMpSetter setter({&omp_get_max_threads, &omp_set_num_threads,
                                    &omp_get_max_active_levels, &omp_set_max_active_levels});
  return setter;
}

const ExportTable& Table() {
  const CountedLibrary* counted = CountedLibrary::InUse();
  return counted == nullptr ? *LabExports() : counted->exports();
}

}  // namespace

void Invoke(const Call& call) {
  const ExportedFunction& function = FindFunction(Table(), call);
  const std::unique_ptr<void, void (*)(void*)> staged(function.stage(call.arguments),
                                                      function.release);
  const auto prepare = [] { OpenMp().Apply(CurrentTeamSize(), CallsAreNested()); };
  prepare();
  std::string warning;
  try {
    if (CurrentFailingCall() > 0 && Runtime().CanFail()) {
      return SetFailingCallReport(
          Runtime().Run(function, staged.get(), call.result, CurrentFailingCall()));
    }
    BeginAccount();
    const ObservedCall observed(call);
    RunConcurrently(function, call.arguments, CurrentCallers() - 1, prepare, staged.get(),
                    call.result, CallersOfSimulator());
    warning = EndAccount(call.function);
  } catch (const NotWritten& not_written) {
    if (CountedLibrary::InUse() == nullptr) NotWrittenLog::Global().Add(not_written);
    throw;
  }
  // Work that the function left behind ends the program here, with a finding that says more.
  function.fetch(staged.get());
  std::fputs(warning.c_str(), stderr);
}

void RunTimedPairs(const Work&, const std::function<std::function<void()>(Random&)>& make_case) {
  Random random;
  make_case(random)();
}

}  // namespace lab
