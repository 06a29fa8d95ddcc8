#pragma once

// Times every kernel that a program launches on a GPU, by CUDA events right before and after the
// launch. Works on unmodified .cu files: link with these options of nvcc, so that launches
// come here first.
//
//   -Xlinker --wrap=__cudaLaunchKernel -Xlinker --wrap=cudaLaunchKernel
//   -Xlinker --wrap=cudaLaunchCooperativeKernel -Xlinker --wrap=__cudaGetKernel
//   -Xlinker --wrap=__cudaRegisterFunction
//
// Ahead of the first event a kernel keeps the GPU busy until the host has submitted the launch:
// the time is the device's, not the host's. It includes what an empty kernel takes. One host
// thread calls all of this.

#include <cstdio>
#include <string>

namespace predict {

// Launches from here on are timed, for the first kTimedLaunches of each kernel and shape.
void BeginCall(const std::string& label);

// Waits for the device. To be called once for each BeginCall; calls of one label are repetitions.
void EndCall();

// A line for each label, kernel and shape since the last time: the head is kTimesHead. Times are
// the medians over the repetitions, summed over the launches of one call.
void PrintTimes(std::FILE* file);

// How often a call of one label is to be made: 7 times, or PREDICT_REPETITIONS times.
int Repetitions();

inline constexpr int kTimedLaunches = 64;
inline constexpr char kTimesHead[] =
    "label,kernel,grid,block,dynamic_shared,static_shared,registers,launches,microseconds\n";

}  // namespace predict
