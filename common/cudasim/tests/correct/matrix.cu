// Matrices and stencils: tiles, halos and edges.
#include "common/cudasim/tests/correct/correct.h"

namespace {

constexpr int kTile = 8;
constexpr int kSize = 21;  // no multiple of the tile
constexpr int kTiles = (kSize + kTile - 1) / kTile;

std::vector<int> Product(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> c(kSize * kSize);
  for (int row = 0; row < kSize; ++row) {
    for (int column = 0; column < kSize; ++column) {
      for (int k = 0; k < kSize; ++k) {
        c[row * kSize + column] += a[row * kSize + k] * b[k * kSize + column];
      }
    }
  }
  return c;
}

std::vector<int> Transposed(const std::vector<int>& a) {
  std::vector<int> t(a.size());
  for (int row = 0; row < kSize; ++row) {
    for (int column = 0; column < kSize; ++column)
      t[column * kSize + row] = a[row * kSize + column];
  }
  return t;
}

__global__ void NaiveProduct(const int* a, const int* b, int* c) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  if (row >= kSize || column >= kSize) return;
  int sum = 0;
  for (int k = 0; k < kSize; ++k) sum += a[row * kSize + k] * b[k * kSize + column];
  c[row * kSize + column] = sum;
}

__device__ int At(const int* m, int row, int column) {
  return row < kSize && column < kSize ? m[row * kSize + column] : 0;
}

__global__ void TiledProduct(const int* a, const int* b, int* c) {
  __shared__ int a_tile[kTile][kTile];
  __shared__ int b_tile[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  int sum = 0;
  for (int tile = 0; tile < kTiles; ++tile) {
    a_tile[y][x] = At(a, row, tile * kTile + x);
    b_tile[y][x] = At(b, tile * kTile + y, column);
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[y][k] * b_tile[k][x];
    __syncthreads();
  }
  if (row < kSize && column < kSize) c[row * kSize + column] = sum;
}

// Two columns a thread.
__global__ void CoarsenedProduct(const int* a, const int* b, int* c) {
  __shared__ int a_tile[kTile][kTile];
  __shared__ int b_tile[kTile][2 * kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * 2 * kTile + x;
  int sums[2] = {};
  for (int tile = 0; tile < kTiles; ++tile) {
    a_tile[y][x] = At(a, row, tile * kTile + x);
    for (int j = 0; j < 2; ++j) {
      b_tile[y][x + j * kTile] = At(b, tile * kTile + y, column + j * kTile);
    }
    __syncthreads();
    for (int k = 0; k < kTile; ++k) {
      for (int j = 0; j < 2; ++j) sums[j] += a_tile[y][k] * b_tile[k][x + j * kTile];
    }
    __syncthreads();
  }
  for (int j = 0; j < 2; ++j) {
    if (row < kSize && column + j * kTile < kSize) c[row * kSize + column + j * kTile] = sums[j];
  }
}

__global__ void PaddedTranspose(const int* in, int* out) {
  __shared__ int tile[kTile][kTile + 1];
  int column = blockIdx.x * kTile + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
  if (row < kSize && column < kSize) tile[threadIdx.y][threadIdx.x] = in[row * kSize + column];
  __syncthreads();
  column = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  if (row < kSize && column < kSize) out[row * kSize + column] = tile[threadIdx.x][threadIdx.y];
}

// Each pair of elements belongs to one thread.
__global__ void TransposeInPlace(int* m) {
  const int column = blockIdx.x * kTile + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
  if (row >= column || column >= kSize) return;
  const int above = m[row * kSize + column];
  m[row * kSize + column] = m[column * kSize + row];
  m[column * kSize + row] = above;
}

// A warp for each row.
__global__ void MatrixVector(const int* m, const int* v, int* out) {
  const int lane = threadIdx.x % 32;
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= kSize) return;
  int sum = 0;
  for (int k = lane; k < kSize; k += 32) sum += m[row * kSize + k] * v[k];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (lane == 0) out[row] = sum;
}

// float4 in registers and in shared memory.
__global__ void CopyVectors(const int4* in, int4* out) {
  __shared__ int4 tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int4 value = tile[31 - threadIdx.x];
  out[31 - threadIdx.x] = value;
}

template <class Launch>
bool Multiplies(const Launch& launch) {
  const std::vector<int> a = Numbers(kSize * kSize), b = Transposed(a);
  const DeviceArray<int> da(a), db(b), dc(kSize * kSize);
  launch(da.get(), db.get(), dc.get());
  return dc.ToHost() == Product(a, b);
}

const dim3 kBlock(kTile, kTile);
const dim3 kGrid(kTiles, kTiles);

bool NaiveMatrixProduct() {
  return Multiplies(
      [](const int* a, const int* b, int* c) { NaiveProduct<<<kGrid, kBlock>>>(a, b, c); });
}

bool TiledMatrixProduct() {
  return Multiplies(
      [](const int* a, const int* b, int* c) { TiledProduct<<<kGrid, kBlock>>>(a, b, c); });
}

bool CoarsenedMatrixProduct() {
  return Multiplies([](const int* a, const int* b, int* c) {
    CoarsenedProduct<<<dim3((kTiles + 1) / 2, kTiles), kBlock>>>(a, b, c);
  });
}

bool TransposeWithPadding() {
  const std::vector<int> a = Numbers(kSize * kSize);
  const DeviceArray<int> in(a), out(a.size());
  PaddedTranspose<<<kGrid, kBlock>>>(in.get(), out.get());
  return out.ToHost() == Transposed(a);
}

bool TransposeOfPairsInPlace() {
  const std::vector<int> a = Numbers(kSize * kSize);
  const DeviceArray<int> m(a);
  TransposeInPlace<<<kGrid, kBlock>>>(m.get());
  return m.ToHost() == Transposed(a);
}

bool MatrixVectorByWarps() {
  const std::vector<int> a = Numbers(kSize * kSize), v = Numbers(kSize);
  std::vector<int> expected(kSize);
  for (int row = 0; row < kSize; ++row) {
    for (int k = 0; k < kSize; ++k) expected[row] += a[row * kSize + k] * v[k];
  }
  const DeviceArray<int> m(a), dv(v), out(kSize);
  MatrixVector<<<(kSize + 3) / 4, 128>>>(m.get(), dv.get(), out.get());
  return out.ToHost() == expected;
}

bool VectorsThroughSharedMemory() {
  const std::vector<int> values = Numbers(128);
  const DeviceArray<int> in(values), out(values.size());
  CopyVectors<<<1, 32>>>(reinterpret_cast<const int4*>(in.get()),
                         reinterpret_cast<int4*>(out.get()));
  return out.ToHost() == values;
}

}  // namespace

int main(int argc, char** argv) {
  return RunCase(argc, argv,
                 {CASE(NaiveMatrixProduct), CASE(TiledMatrixProduct), CASE(CoarsenedMatrixProduct),
                  CASE(TransposeWithPadding), CASE(TransposeOfPairsInPlace),
                  CASE(MatrixVectorByWarps), CASE(VectorsThroughSharedMemory)});
}
