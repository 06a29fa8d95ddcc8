#include "common/lab/test_program/in_process_simulator.h"

#include <cstdint>
#include <set>
#include <string>

#include "common/cudasim/include/cudasim/call_account.h"

// Null in a program without the simulator, or in a mode of it that does not account for calls.
extern "C" {
__attribute__((weak)) void cudasimBeginCall();
__attribute__((weak)) void cudasimEndCall(CudasimCallAccount*);
__attribute__((weak)) void cudasimFailCall(std::uint64_t n, int error);
__attribute__((weak)) std::uint64_t cudasimCallsMade();
__attribute__((weak)) const char* cudasimCallMadeToFail();
__attribute__((weak)) std::uint64_t cudasimLiveObjects();
__attribute__((weak)) int cudasimDeviceHasFailed();
__attribute__((weak)) void cudasimExpectCallers(unsigned callers);
__attribute__((weak)) void cudasimCallerIsDone();
}

namespace lab {
namespace {

// The default limit of output bytes from the host; a part's lab.toml may raise it.
constexpr std::uint64_t kUsualHostBytes = 64;

std::string Warning(const std::string& function, const CudasimCallAccount& account) {
  static std::set<std::string> told;
  if (!told.insert(function).second) return "";
  return "warning: " + function + ": " + std::to_string(account.output_bytes_from_host) +
         " bytes of an output come from the host, by " + account.copy +
         "\n  next: let a kernel compute them; the grader refuses outputs of the host\n";
}

}  // namespace

void BeginAccount() {
  if (&cudasimBeginCall != nullptr) cudasimBeginCall();
}

std::string EndAccount(const char* function) {
  if (&cudasimEndCall == nullptr) return "";
  CudasimCallAccount account{};
  cudasimEndCall(&account);
  return account.output_bytes_from_host > kUsualHostBytes ? Warning(function, account) : "";
}

const FailingRuntime& Runtime() {
  static const FailingRuntime runtime({&cudasimFailCall, &cudasimCallsMade, &cudasimCallMadeToFail,
                                       &cudasimLiveObjects, &cudasimDeviceHasFailed});
  return runtime;
}

const SimulatedCallers& CallersOfSimulator() {
  static const SimulatedCallers simulated{&cudasimExpectCallers, &cudasimCallerIsDone};
  return simulated;
}

}  // namespace lab
