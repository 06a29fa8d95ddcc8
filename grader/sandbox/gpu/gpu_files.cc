#include "grader/sandbox/gpu/gpu_files.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "grader/sandbox/gpu/driver.h"

namespace grader {
namespace {

constexpr std::string_view kGpu = "nvidia";

bool IsDevice(const std::filesystem::path& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && S_ISCHR(info.st_mode);
}

// nvidia0, nvidia1, ... and the two that every program opens; not those that administer the GPU.
bool IsNeeded(std::string_view name) {
  if (name == "nvidiactl" || name == "nvidia-uvm") return true;
  if (!name.starts_with(kGpu)) return false;
  name.remove_prefix(kGpu.size());
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return isdigit(c) != 0; });
}

std::string FolderOfLibrary() {
  void* const library = dlopen(Driver::kLibrary, RTLD_LAZY | RTLD_LOCAL);
  link_map* map = nullptr;
  if (library == nullptr || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) {
    throw GpuError(std::string("no CUDA driver: ") + dlerror());
  }
  char path[PATH_MAX];
  if (realpath(map->l_name, path) == nullptr) {
    throw GpuError(std::string("no such file: ") + map->l_name);
  }
  return std::filesystem::path(path).parent_path();
}

}  // namespace

GpuFiles FindGpuFiles() {
  GpuFiles files;
  files.library_folder = FolderOfLibrary();
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/dev", error)) {
    if (IsNeeded(entry.path().filename().string()) && IsDevice(entry.path())) {
      files.devices.push_back(entry.path());
    }
  }
  std::sort(files.devices.begin(), files.devices.end());
  if (files.devices.empty()) throw GpuError("no /dev/nvidia0 on this machine");
  return files;
}

}  // namespace grader
