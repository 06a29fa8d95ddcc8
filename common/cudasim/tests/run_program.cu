// `EXECUTABLE PROGRAM` runs the program of that name. Returns 0, or 2 if there is none.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#include "common/cudasim/tests/programs.h"

int main(int argc, char** argv) {
  for (const NamedProgram& program : NamedPrograms()) {
    if (argc != 2 || std::strcmp(argv[1], program.name) != 0) continue;
    program.run();
    cudaDeviceSynchronize();  // else never_waited would be another finding
    return 0;
  }
  std::fprintf(stderr, "error: no such program: %s\n", argc == 2 ? argv[1] : "(none)");
  return 2;
}
