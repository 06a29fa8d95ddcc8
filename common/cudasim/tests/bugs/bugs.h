// A program of several bugs; the command line selects one.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>

struct Bug {
  const char* name;
  void (*run)();
};

#define BUG(function) \
  { #function, function }

// Leaves out what nvcc rejects, so that the rest can be compared with other tools on a GPU.
#ifdef __NVCC__
#define NOT_ON_A_GPU(...)
#else
#define NOT_ON_A_GPU(...) __VA_ARGS__
#endif

// Runs the bug that the first argument names.  Returns 0, or 2 if there is no such bug.
inline int RunBug(int argc, char** argv, std::initializer_list<Bug> bugs) {
  for (const Bug& bug : bugs) {
    if (argc != 2 || std::strcmp(argv[1], bug.name) != 0) continue;
    bug.run();
    cudaDeviceSynchronize();  // else never_waited would be another finding
    return 0;
  }
  std::fprintf(stderr, "error: no such bug: %s\n", argc == 2 ? argv[1] : "(none)");
  return 2;
}
