#include "common/cudasim/profile/profile_report.h"

#include <cstdio>

#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/instrument/call_account.h"
#include "common/cudasim/profile/call_samples.h"
#include "common/cudasim/profile/kernel_profile.h"
#include "common/cudasim/runtime/diagnostics/settings.h"
#include "common/cudasim/runtime/streams/critical_path.h"
#include "common/cudasim/runtime/streams/timeline.h"

namespace cudasim {
namespace {

int WriteJson() {
  const char* const path = ProfileFileSetting();
  if (path == nullptr) return 0;
  std::FILE* const file = std::fopen(path, "w");
  const bool ok = file != nullptr && std::fputs(ProfileAsJson().c_str(), file) >= 0;
  const bool closed = file != nullptr && std::fclose(file) == 0;
  if (ok && closed) return 0;
  std::fprintf(
      stderr, "error: cannot write the profile: %s\n  next: set CUDASIM_PROFILE to a file\n", path);
  return -1;
}

// The table is for people: a JSON file replaces it, unless the table is requested, too.
bool WantsTable() { return ProfileFileSetting() == nullptr || ProfileTableSetting(); }

struct AtExit {
  ~AtExit() {
    if (Profiles().empty()) return;
    WriteJson();
    if (!WantsTable()) return;
    std::fflush(stdout);
    std::fputs(ProfileAsTable().c_str(), stderr);
  }
};

}  // namespace

void ReportAtExit() { static const AtExit at_exit; }

}  // namespace cudasim

int simulatorWriteProfile() { return cudasim::WriteJson(); }

void simulatorResetProfile() {
  cudasim::Profiles().clear();
  cudasim::ForgetCallSamples();
  cudasim::BeginCallPath();
  cudasim::BeginTimeline();
  cudasim::ForgetHostDeviceBytes();
}
