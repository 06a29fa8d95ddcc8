// The functions of timed_launches.h in the simulator's profile mode: what the launches of a call
// do is written to LABEL.json in the folder PREDICT_FOLDER. CUDASIM_PROFILE must be set.

#include <cuda_runtime.h>

#include <cstdlib>
#include <filesystem>

#include "common/cudasim/predict/measure/timed_launches.h"

namespace predict {
namespace {

std::string of_call;

std::string Setting(const char* name) {
  const char* const value = std::getenv(name);
  if (value != nullptr) return value;
  std::fprintf(stderr, "error: %s is not set\n  next: see counted_launches.cc\n", name);
  std::exit(2);
}

}  // namespace

int Repetitions() { return 1; }

void BeginCall(const std::string& label) {
  of_call = label;
  cudasimResetProfile();
}

void EndCall() {
  if (cudasimWriteProfile() != 0) std::exit(1);
  std::filesystem::rename(Setting("CUDASIM_PROFILE"),
                          Setting("PREDICT_FOLDER") + "/" + of_call + ".json");
}

void PrintTimes(std::FILE*) {}

}  // namespace predict
