// What code compiled with -fsanitize=alignment,bounds,object-size,return calls when a check fails:
// the simulator's own functions, as the sanitizer's runtime is not linked.
#pragma once

extern "C" {
void __ubsan_handle_type_mismatch_v1(void* data, unsigned long address);
void __ubsan_handle_out_of_bounds(void* data, unsigned long index);
[[noreturn]] void __ubsan_handle_missing_return(void* data);
}

namespace cudasim {

// A line of the source with an index such as `tile[0][i]`, which programs let run over all rows.
struct FlatIndex {
  const char* file;  // lives as long as the program
  int line;
};

void NoteFlatIndices(const FlatIndex* places, unsigned long count);

struct FlatIndices {
  template <unsigned long kCount>
  explicit FlatIndices(const FlatIndex (&places)[kCount]) {
    NoteFlatIndices(places, kCount);
  }
};

}  // namespace cudasim
