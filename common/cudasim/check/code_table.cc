#include "common/cudasim/check/code_table.h"

namespace cudasim {

constinit CodeTable codes;

unsigned CodeFor(const void* pc) {
  unsigned code = FirstCode(pc);
  for (unsigned tries = 0; tries < kCodes; ++tries, code = (code + 1) % kCodes) {
    if (code == 0) continue;
    if (codes.places[code] == nullptr) codes.places[code] = pc;
    if (codes.places[code] == pc) return code;
  }
  return 0;
}

}  // namespace cudasim
