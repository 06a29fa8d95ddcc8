// Hostile: touches 192 MB, 64 more than the limit.
#include <cstdlib>
#include <cstring>

char* volatile kept;

const int tried = [] {
  for (int i = 0; i < 192; ++i) {
    char* const megabyte = static_cast<char*>(malloc(1 << 20));
    if (megabyte == nullptr) abort();
    memset(megabyte, 1 + i, 1 << 20);
    kept = megabyte;
  }
  return 0;
}();
