// Programs that misuse the matrix operations of a warp.
#include <mma.h>

#include "common/cudasim/tests/bugs/bugs.h"

namespace matrix {

namespace wmma = nvcuda::wmma;
using Factor = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

void Run(void (*kernel)(float*), int threads) {
  float* const memory = Zeros<float>(1024);
  kernel<<<1, threads>>>(memory);
  cudaDeviceSynchronize();
  cudaFree(memory);
}

__global__ void StoreUnset(float* out) {
  Sum sum;
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

PROGRAM(StoreOfAnUnsetFragment) { Run(StoreUnset, 32); }

__global__ void MultiplyUnset(float* out) {
  Factor a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  Sum sum;
  wmma::fill_fragment(a, 1.0f);
  wmma::fill_fragment(b, 1.0f);
  wmma::mma_sync(sum, a, b, sum);
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

PROGRAM(UnsetAccumulator) { Run(MultiplyUnset, 32); }

__global__ void StoreOfHalfAWarp(float* out) {
  Sum sum;
  wmma::fill_fragment(sum, 1.0f);
  if (threadIdx.x < 16) return;
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

PROGRAM(HalfTheWarpReturns) { Run(StoreOfHalfAWarp, 32); }

__global__ void Store(float* out) {
  Sum sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

PROGRAM(WarpOf24Threads) { Run(Store, 24); }

__global__ void StoreByLane(float* out) {
  Sum sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(out + threadIdx.x * 16, sum, 16, wmma::mem_row_major);
}

PROGRAM(EachLaneItsOwnAddress) { Run(StoreByLane, 32); }

__global__ void StoreOrShuffle(float* out) {
  Sum sum;
  wmma::fill_fragment(sum, 1.0f);
  if (threadIdx.x < 16) {
    wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
  } else {
    out[512 + threadIdx.x] = __shfl_sync(0xffffffff, sum.x[0], 0);
  }
}

PROGRAM(OtherLanesShuffle) { Run(StoreOrShuffle, 32); }

template <int kOffset, int kStride>
__global__ void StoreAt(float* out) {
  Sum sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(out + kOffset, sum, kStride, wmma::mem_row_major);
}

PROGRAM(MisalignedAddress) { Run(StoreAt<4, 16>, 32); }

PROGRAM(MisalignedStride) { Run(StoreAt<0, 18>, 32); }

PROGRAM(PastTheEnd) { Run(StoreAt<1024 - 128, 16>, 32); }

// Another lane's store is read without a barrier.
__global__ void ReadBehindStore(float* out) {
  __shared__ __align__(32) float tile[256];
  Sum sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);
  out[threadIdx.x] = tile[threadIdx.x];
}

PROGRAM(NoBarrierAfterStore) { Run(ReadBehindStore, 32); }

__global__ void LoadUnwritten(float* out) {
  __shared__ __align__(32) float tile[256];
  Sum sum;
  wmma::load_matrix_sync(sum, tile, 16, wmma::mem_row_major);
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

PROGRAM(LoadOfUnwrittenMemory) { Run(LoadUnwritten, 32); }

}  // namespace matrix
