// `list` prints the names, NAME runs the right program, NAME without the wrong one. Returns 0, or 2
// if there is no such pair.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#include "common/cudasim/tests/stream_order/pair_programs.h"

int main(int argc, char** argv) {
  const bool lists = argc == 2 && std::strcmp(argv[1], "list") == 0;
  for (const PairOfPrograms& pair : Pairs()) {
    if (lists) std::puts(pair.name);
    if (argc < 2 || std::strcmp(argv[1], pair.name) != 0) continue;
    (argc == 2 ? pair.right : pair.wrong)();
    return 0;
  }
  return lists ? 0 : 2;
}
