// Hostile: prints a megabyte; printing has a limit.
#include "labs/attacked_cpu/send.h"

const int tried = [] {
  static const char text[4096] = {'x'};
  for (int i = 0; i < 256; ++i) {
    if (Send(1, text, sizeof text) < 0) break;
  }
  return 0;
}();
