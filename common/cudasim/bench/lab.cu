// A file of a typical submission's size; bench.py measures how long it takes to compile.
#include "common/cudasim/bench/kernels.h"

void Add(const float* a, const float* b, float* c, int n) {
  BENCH_LAUNCH(AddVectors, (n + kBlock - 1) / kBlock, kBlock, a, b, c, n);
}

void Sum(const float* in, float* sums, int n) {
  BENCH_LAUNCH(SumBlocks, (n + 2 * kBlock - 1) / (2 * kBlock), kBlock, in, sums, n);
}

void Multiply(const float* a, const float* b, float* c, int n) {
  BENCH_LAUNCH(MultiplyTiles, dim3(n / kTile, n / kTile), dim3(kTile, kTile), a, b, c, n);
}

void Count(const unsigned char* in, unsigned* bins, int n) {
  BENCH_LAUNCH(CountBytes, 64, kBlock, in, bins, n);
}
