#pragma once

// Comparisons of device code, and their main function. One host thread calls all of this. A CUDA
// call that fails throws CudaError.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "common/benchmark/comparison.h"

namespace lab {

// Runs the candidates, which put their work on the default stream, in turn by CUDA events, and
// prints how they compare. `poison` erases the results of earlier runs and, if runs are to start on
// an idle device, waits for it. False if a result was wrong.
bool CompareOnDevice(const std::string& title, std::vector<Candidate> candidates,
                     const std::function<void()>& poison, const std::string& unit = "GB/s");

// A baseline: `bytes` from one place of the device to another, each read and written once.
Candidate DeviceCopy(void* to, const void* from, std::size_t bytes,
                     const std::function<bool()>& is_right);

// The sizes of problems that a program accepts, and those that it runs unless told.
struct Sizes {
  std::string what;  // in the message on how to use the program
  std::size_t least;
  std::size_t most;
  std::vector<std::size_t> usual;
};

// A program's main function: prints the machine and calls run() for each size on the command line
// until one returns false. Memory that is freed on a stream stays in the device's pool, as
// returning it at each synchronisation costs more than a kernel. Returns the exit code.
int RunSizes(int argc, char** argv, const Sizes& sizes,
             const std::function<bool(std::size_t)>& run);

// Device 0, the runtime, and today in UTC: "NAME, CUDA runtime 13.0, 2026-01-31".
std::string Machine();

}  // namespace lab
