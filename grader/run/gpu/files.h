#pragma once

#include <string>
#include <vector>

namespace grader {

// What of this machine a jailed program needs to use the GPU.
struct GpuFiles {
  std::vector<std::string> devices;  // /dev/nvidia0 and its like
  std::string library_folder;        // of the driver's library
};

// Throws GpuError where the driver or its devices are missing.
GpuFiles FindGpuFiles();

}  // namespace grader
