#pragma once

#include <string>
#include <vector>

namespace grader {

// The files of this machine that a jailed program needs to use the GPU.
struct GpuFiles {
  std::vector<std::string> devices;  // such as /dev/nvidia0
  std::string library_folder;        // of the driver's library
};

// Throws GpuError where the driver or its devices are missing.
GpuFiles FindGpuFiles();

}  // namespace grader
