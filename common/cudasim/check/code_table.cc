#include "common/cudasim/check/code_table.h"

namespace cudasim {

const void* code_table[kCodes];

unsigned CodeFor(const void* pc) {
  unsigned code = FirstCode(pc);
  for (unsigned tries = 0; tries < kCodes; ++tries, code = (code + 1) % kCodes) {
    if (code == 0) continue;
    if (code_table[code] == nullptr) code_table[code] = pc;
    if (code_table[code] == pc) return code;
  }
  return 0;
}

}  // namespace cudasim
