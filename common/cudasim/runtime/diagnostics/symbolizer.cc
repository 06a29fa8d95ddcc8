#include "common/cudasim/runtime/diagnostics/symbolizer.h"

#include <backtrace.h>
#include <cxxabi.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

#include "common/cudasim/runtime/diagnostics/class_places.h"
#include "common/cudasim/runtime/diagnostics/source_files.h"

namespace cudasim {
namespace {

bool Contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

// The simulator's own headers, NAME.h in a folder cudasim, the files that include them, its part of
// Thrust and CUB, and its libraries.
bool IsOurs(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  if (slash == std::string::npos) return false;
  const std::string folder = file.substr(0, slash);
  const std::string name = file.substr(slash + 1);
  const std::string ours = "/cudasim";
  const bool in_ours = folder.size() >= ours.size() &&
                       folder.compare(folder.size() - ours.size(), std::string::npos, ours) == 0;
  if ((in_ours && name.ends_with(".h")) || name == "cuda_runtime.h") return true;
  for (const char* const folder : {"thrust", "cub", "CL"}) {
    if (Contains(file, (std::string("/include/") + folder + "/").c_str())) return true;
  }
  for (const char* const part : {"check/", "instrument/", "profile/", "runtime/"}) {
    if (Contains(file, (std::string("common/cudasim/") + part).c_str())) return true;
  }
  return false;
}

// The line table joins the compiler's working directory in front of a relative name; build tools
// call it /proc/self/cwd, so that it is the same everywhere.
std::string AsGivenToTheCompiler(const std::string& path) {
  const std::string known = FindSourceFile(path);
  if (!known.empty()) return known;
  char directory[4096];
  if (getcwd(directory, sizeof(directory)) == nullptr) directory[0] = '\0';
  for (const char* const folder : {"/proc/self/cwd", static_cast<const char*>(directory)}) {
    const std::string prefix = std::string(folder) + "/";
    if (path.compare(0, prefix.size(), prefix) == 0) return path.substr(prefix.size());
  }
  return path;
}

void IgnoreError(void*, const char*, int) {}

int CollectFrame(void* data, std::uintptr_t, const char* file, int line, const char* function) {
  if (file == nullptr) return 0;
  static_cast<std::vector<Place>*>(data)->push_back(
      {file, line, function ? Demangle(function) : std::string()});
  return 0;
}

backtrace_state* State() {
  static backtrace_state* const state = backtrace_create_state(nullptr, 1, IgnoreError, nullptr);
  return state;
}

std::mutex& PlacesMutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

Place& PlaceOfKernel() {
  static auto* const place = new Place;
  return *place;
}

struct CodePlace {
  Place place;
  bool is_ours = false;  // all frames are
};

CodePlace Choose(const std::vector<Place>& frames) {
  for (const Place& frame : frames) {
    if (!IsOurs(frame.file) && !IsSystem(frame.file) && !IsMadeByCompiler(frame))
      return {frame, false};
  }
  for (const Place& frame : frames) {
    if (!IsOurs(frame.file)) return {frame, false};
  }
  return {{}, !frames.empty()};
}

// With the mutex locked.
CodePlace FindPlace(const void* return_address) {
  static auto* const cache = new std::map<const void*, CodePlace>;
  const auto [entry, is_new] = cache->try_emplace(return_address);
  if (!is_new) return entry->second;
  backtrace_state* const state = State();
  std::vector<Place> frames;
  const auto pc = reinterpret_cast<std::uintptr_t>(return_address) - 1;
  if (state != nullptr) backtrace_pcinfo(state, pc, CollectFrame, IgnoreError, &frames);
  entry->second = Choose(frames);
  Place& place = entry->second.place;
  if (!place.file.empty()) place.file = AsGivenToTheCompiler(place.file);
  return entry->second;
}

}  // namespace

bool IsSystem(const std::string& file) {
  return Contains(file, "/c++/") || Contains(file, "/usr/");
}

std::string Demangle(const char* name) {
  int status = 0;
  char* const demangled = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 ? demangled : name;
  std::free(demangled);
  return result;
}

std::string Place::ToString() const {
  return file.empty() ? "an unknown place" : file + ":" + std::to_string(line);
}

Place Locate(const void* return_address, const Place& otherwise) {
  const std::lock_guard lock(PlacesMutex());
  const CodePlace found = FindPlace(return_address);
  return found.is_ours ? otherwise : found.place;
}

Place Locate(const void* return_address) {
  const std::lock_guard lock(PlacesMutex());
  const CodePlace found = FindPlace(return_address);
  return found.is_ours ? PlaceOfKernel() : found.place;
}

void SetPlaceOfKernel(const Place& place) {
  const std::lock_guard lock(PlacesMutex());
  PlaceOfKernel() = place;
}

}  // namespace cudasim
