// `PROGRAM list` prints the table of pairs, `PROGRAM NAME` runs one of their programs.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#include "common/cudasim/tests/memory_model/memory_model.h"

int main(int argc, char** argv) {
  const char* const wanted = argc == 2 ? argv[1] : "";
  const bool lists = std::strcmp(wanted, "list") == 0;
  for (const Pair& pair : Pairs()) {
    if (lists) std::printf("%s\t%s\t%s\n", pair.section, pair.clean.name, pair.racy.name);
    for (const Program& program : {pair.clean, pair.racy}) {
      if (std::strcmp(wanted, program.name) != 0) continue;
      program.run();
      cudaDeviceSynchronize();
      return 0;
    }
  }
  return lists ? 0 : 2;
}
