#include "common/lab/in_process_simulator.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>

#include "common/cudasim/include/cudasim/call_account.h"
#include "common/lab/failing_call.h"

// Null in a program without the simulator, or in a mode of it that does not account for calls.
extern "C" {
__attribute__((weak)) void cudasimBeginCall();
__attribute__((weak)) void cudasimEndCall(CudasimCallAccount*);
__attribute__((weak)) void cudasimFailCall(std::uint64_t n, int error);
__attribute__((weak)) std::uint64_t cudasimCallsMade();
__attribute__((weak)) std::uint64_t cudasimLiveObjects();
}

namespace lab {
namespace {

// As much as a part may take from the host unless its lab.toml says more.
constexpr std::uint64_t kUsualHostBytes = 64;

void Warn(const std::string& function, const CudasimCallAccount& account) {
  static std::set<std::string> told;
  if (!told.insert(function).second) return;
  std::fprintf(stderr,
               "warning: %s: %llu bytes of an output come from the host, by %s\n"
               "  next: let a kernel compute them; the grader refuses outputs of the host\n",
               function.c_str(), static_cast<unsigned long long>(account.output_bytes_from_host),
               account.copy);
}

}  // namespace

SimulatorWatch::SimulatorWatch(const char* function)
    : function_(function), lets_fail_(CurrentFailingCall() > 0 && &cudasimFailCall != nullptr) {
  if (&cudasimBeginCall != nullptr) cudasimBeginCall();
  if (!lets_fail_) return;
  before_ = cudasimLiveObjects();
  cudasimFailCall(CurrentFailingCall(), 0);
}

SimulatorWatch::~SimulatorWatch() {
  if (lets_fail_) cudasimFailCall(0, 0);
}

void SimulatorWatch::Returned() const {
  ReportFailingCall(false);
  if (&cudasimEndCall == nullptr || lets_fail_) return;
  CudasimCallAccount account{};
  cudasimEndCall(&account);
  if (account.output_bytes_from_host > kUsualHostBytes) Warn(function_, account);
}

void SimulatorWatch::Threw() const { ReportFailingCall(true); }

void SimulatorWatch::ReportFailingCall(bool threw) const {
  if (!lets_fail_) return SetFailingCallReport({});
  const std::uint64_t calls = cudasimCallsMade();
  cudasimFailCall(0, 0);
  const std::uint64_t now = cudasimLiveObjects();
  SetFailingCallReport({true, threw, calls, std::max(now, before_) - before_});
}

}  // namespace lab
