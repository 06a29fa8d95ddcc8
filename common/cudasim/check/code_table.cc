#include "common/cudasim/check/code_table.h"

#include "common/cudasim/check/detector.h"

namespace cudasim {

unsigned CodeFor(const void* pc) {
  unsigned code = FirstCode(pc);
  for (unsigned tries = 0; tries < kCodes; ++tries, code = (code + 1) % kCodes) {
    if (code == 0) continue;
    if (detector.places[code] == nullptr) detector.places[code] = pc;
    if (detector.places[code] == pc) return code;
  }
  return 0;
}

}  // namespace cudasim
