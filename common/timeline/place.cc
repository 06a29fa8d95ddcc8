// Who called, by frame pointers where they lead, else by unwinding.

#include <link.h>
#include <pthread.h>
#include <unwind.h>

#include <algorithm>
#include <cstring>

#include "common/timeline/recorder.h"

extern "C" const char __executable_start[];
extern "C" const char etext[];

namespace lab::timeline {
namespace {

struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool Contains(std::uintptr_t address) const { return begin <= address && address < end; }
};

Range ProgramRange() {
  return {reinterpret_cast<std::uintptr_t>(__executable_start),
          reinterpret_cast<std::uintptr_t>(etext)};
}

int FindCppLibrary(dl_phdr_info* info, std::size_t, void* data) {
  if (std::strstr(info->dlpi_name, "libstdc++.so") == nullptr) return 0;
  auto& range = *static_cast<Range*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
    range = {info->dlpi_addr + header.p_vaddr, info->dlpi_addr + header.p_vaddr + header.p_memsz};
  }
  return 1;
}

const Range& CppLibraryRange() {
  static const Range range = [] {
    Range found;
    dl_iterate_phdr(FindCppLibrary, &found);
    return found;
  }();
  return range;
}

Range OwnStack() {
  thread_local const Range range = [] {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return Range();
    void* base = nullptr;
    std::size_t bytes = 0;
    pthread_attr_getstack(&attributes, &base, &bytes);
    pthread_attr_destroy(&attributes);
    const auto begin = reinterpret_cast<std::uintptr_t>(base);
    return Range{begin, begin + bytes};
  }();
  return range;
}

// A walk through the callers, to those of a function of C++'s library.
struct Walk {
  Place place{};
  std::size_t found = 0;
  bool is_behind = false;
};

_Unwind_Reason_Code AddFrame(_Unwind_Context* context, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  const std::uintptr_t address = _Unwind_GetIP(context);
  if (CppLibraryRange().Contains(address)) {
    walk = {.is_behind = true};
  } else if (walk.is_behind) {
    walk.place[walk.found++] = address;
  }
  return walk.found == walk.place.size() ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// C++'s library keeps no frame pointers.
Place CallersOfCppLibrary() {
  Walk walk;
  _Unwind_Backtrace(AddFrame, &walk);
  return walk.place;
}

}  // namespace

bool IsOfProgram(const void* return_address) {
  static const Range program = ProgramRange();
  const auto address = reinterpret_cast<std::uintptr_t>(return_address);
  return program.Contains(address) || CppLibraryRange().Contains(address);
}

void PreparePlaces() {
  CppLibraryRange();
  OwnStack();
}

Place PlaceOf(const void* return_address, const void* frame) {
  const auto address = reinterpret_cast<std::uintptr_t>(return_address);
  return CppLibraryRange().Contains(address) ? CallersOfCppLibrary()
                                             : FollowFrames(return_address, frame);
}

Place FollowFrames(const void* address, const void* frame) {
  Place place{reinterpret_cast<std::uintptr_t>(address)};
  const Range stack = OwnStack();
  auto at = reinterpret_cast<std::uintptr_t>(frame);
  for (std::size_t i = 1; i < place.size(); ++i) {
    if (at % sizeof(at) != 0 || !stack.Contains(at) || !stack.Contains(at + 2 * sizeof(at) - 1)) {
      break;
    }
    const auto* const words = reinterpret_cast<const std::uintptr_t*>(at);
    if (words[0] <= at || words[1] == 0) break;
    place[i] = words[1];
    at = words[0];
  }
  return place;
}

}  // namespace lab::timeline
