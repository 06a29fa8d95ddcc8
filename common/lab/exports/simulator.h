#pragma once

// The functions by which a program controls the CUDA simulator that it is linked with. All are null
// in a program without one, the first two in a mode of it that does not account for calls. Nothing
// that the program loads can find them by their names.

#include <cstdint>

#include "common/lab/exports/concurrent_callers.h"
#include "common/lab/exports/failing_runtime.h"

struct CudasimCallAccount;

extern "C" {
__attribute__((weak)) void simulatorBeginCall();
__attribute__((weak)) void simulatorEndCall(CudasimCallAccount* account);
__attribute__((weak)) void simulatorResetProfile();
__attribute__((weak)) int simulatorWriteProfile();
__attribute__((weak)) void simulatorFailCall(std::uint64_t n, int error);
__attribute__((weak)) std::uint64_t simulatorCallsMade();
__attribute__((weak)) const char* simulatorCallMadeToFail();
__attribute__((weak)) std::uint64_t simulatorLiveObjects();
__attribute__((weak)) int simulatorDeviceHasFailed();
__attribute__((weak)) void simulatorExpectCallers(unsigned callers);
__attribute__((weak)) void simulatorCallerIsDone();
}

namespace lab {

inline FailingRuntime Runtime() {
  return FailingRuntime({&simulatorFailCall, &simulatorCallsMade, &simulatorCallMadeToFail,
                         &simulatorLiveObjects, &simulatorDeviceHasFailed});
}

inline SimulatedCallers CallersOfSimulator() {
  return {&simulatorExpectCallers, &simulatorCallerIsDone};
}

}  // namespace lab
