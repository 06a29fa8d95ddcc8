// What kernels call besides barriers: assert, __trap, clock, and tests of address spaces.
#include <cassert>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>

#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/device/device.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/symbols.h"
#include "common/cudasim/runtime/scheduler/block.h"
#include "common/cudasim/runtime/scheduler/grid.h"
#include "common/cudasim/runtime/scheduler/leave_kernel.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {
namespace {

bool OnDevice() { return current_fiber != nullptr && in_kernel; }

// As the device prints an index: "[1,0,0]".
std::string Bracketed(const uint3& index) {
  return "[" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + "]";
}

// The rewriter makes a kernel's body a lambda, which the message must not name.
std::string FunctionName(const std::string& pretty) {
  const std::size_t lambda = pretty.find("::<lambda()>");
  if (lambda == std::string::npos) return pretty;
  return "void " + pretty.substr(0, lambda);
}

std::string KernelName() { return "kernel " + std::string(RunningGrid()->source.name); }

// In CUDA's words, and in check mode as a finding as well.  Ends the launch.
[[noreturn]] void FailAssertion(const char* expression, const char* file, unsigned line,
                                const char* function) {
  in_kernel = false;
  const std::string at = std::string(file) + ":" + std::to_string(line);
  if (kCheckMode) {
    Report({"assertion",
            KernelName() + ", " + at + ": assertion `" + expression + "` failed",
            {DescribeCurrentThread(), "in " + FunctionName(function)}});
  } else {
    const std::string text =
        at + ": " + FunctionName(function) + ": block: " + Bracketed(blockIdx) +
        ", thread: " + Bracketed(threadIdx) + " Assertion `" + expression + "` failed.\n";
    std::fflush(stdout);
    std::fputs(text.c_str(), stderr);
  }
  MakeSticky(cudaErrorAssert);
  Worker::Current().Abandon();
}

long long Cycles() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count() * (kClockKhz / 1000) /
         1000;
}

}  // namespace
}  // namespace cudasim

extern "C" {

void cudasim_assert_fail(const char* expression, const char* file, unsigned line,
                         const char* function) {
  if (cudasim::OnDevice()) cudasim::FailAssertion(expression, file, line, function);
  __assert_fail(expression, file, line, function);
}

void cudasimTrap(const char* file, int line) {
  cudasim::in_kernel = false;
  cudasim::Report({"trap",
                   cudasim::KernelName() + ", " + file + ":" + std::to_string(line) +
                       ": __trap() ended the launch",
                   {cudasim::DescribeCurrentThread()}});
  cudasim::MakeSticky(cudaErrorLaunchFailure);
  cudasim::Worker::Current().Abandon();
}

std::clock_t cudasim_clock() {
  return cudasim::OnDevice() ? static_cast<std::clock_t>(cudasim::Cycles()) : std::clock();
}

long long clock64() { return cudasim::Cycles(); }

bool cudasimIsGlobal(const void* address) {
  return cudasim::DeviceHeap::Contains(address) || cudasim::IsDeviceVariable(address, 1);
}

bool cudasimIsShared(const void* address) {
  const auto* const at = static_cast<const char*>(address);
  return at >= cudasim::shared_arena && at < cudasim::shared_arena + cudasim::kArenaBytes;
}

bool cudasimIsClusterShared(const void* address) {
  return cudasim::FindShared(address).owner != nullptr;
}

bool cudasimIsConstant(const void* address) { return cudasim::IsConstantVariable(address, 1); }

bool cudasimIsLocal(const void* address) { return cudasim::IsFiberStack(address); }

}  // extern "C"
