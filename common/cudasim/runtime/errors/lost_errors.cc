#include "common/cudasim/runtime/errors/lost_errors.h"

#include <cstdlib>
#include <list>
#include <mutex>

#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/diagnostics/report.h"

namespace cudasim {
namespace {

struct LostError {
  const char* call = nullptr;  // null: none
  Site site;
  cudaError_t error = cudaSuccess;
};

// One for each host thread that has lost an error; they outlive their threads.
struct LostErrors {
  std::mutex mutex;
  std::list<LostError> all;
};

LostErrors& AllLostErrors();

void WarnAtExit() {
  LostErrors& lost = AllLostErrors();
  const std::lock_guard lock(lost.mutex);
  for (const LostError& e : lost.all) {
    if (e.call == nullptr) continue;
    Warn("unchecked_error", std::string(e.call) + " at " + ToString(e.site) + " failed with " +
                                cudaGetErrorName(e.error) + ": " + cudaGetErrorString(e.error) +
                                "; the program never checked it");
  }
}

LostErrors& AllLostErrors() {
  static auto* const lost = [] {
    std::atexit(WarnAtExit);
    return new LostErrors;  // never destroyed: other threads may outlive main()
  }();
  return *lost;
}

thread_local LostError discarding;  // the call that runs; its error is still cudaSuccess
thread_local LostError* my_error = nullptr;

}  // namespace

void BeginDiscard(const char* call, const char* file, int line) {
  if (kCheckMode) discarding = {call, {file, line}};
}

void EndDiscard() { discarding.call = nullptr; }

// The first one counts: later ones often follow from it.
void NoteError(cudaError_t error) {
  if (discarding.call == nullptr) return;
  LostErrors& lost = AllLostErrors();
  const std::lock_guard lock(lost.mutex);
  if (my_error == nullptr) my_error = &lost.all.emplace_back();
  if (my_error->call == nullptr) *my_error = {discarding.call, discarding.site, error};
}

void ForgetLostError() {
  if (my_error == nullptr) return;
  const std::lock_guard lock(AllLostErrors().mutex);
  my_error->call = nullptr;
}

}  // namespace cudasim
