// What kernels may not do with the objects of the device's libraries.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/scheduler/grid.h"
#include "common/cudasim/runtime/scheduler/worker.h"

extern "C" {

[[noreturn]] void cudasim_misuse(const char* kind, const char* file, int line, const char* what,
                                 const char* advice) {
  using namespace cudasim;  // NOLINT: the function's name must be C's
  // What is allocated below is the simulator's, not the kernel's.
  in_kernel = false;
  const std::string at = ToString(Site{file, line});
  if (current_fiber == nullptr) {
    std::fprintf(stderr, "error: %s: %s\n  next: %s\n", at.c_str(), what, advice);
    std::exit(1);
  }
  const Kind found = Kind::Find(kind);
  if (found.name() == nullptr) std::abort();
  Report({found,
          "kernel " + std::string(RunningGrid()->source.name) + ", " + at + ": " + what,
          {DescribeCurrentThread(), advice}});
  MakeSticky(cudaErrorLaunchFailure);
  Worker::Current().Abandon();
}

}  // extern "C"
