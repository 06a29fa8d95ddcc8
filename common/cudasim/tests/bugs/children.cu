// Programs that misuse launches by kernels.
#include "common/cudasim/tests/bugs/bugs.h"

namespace children {

__global__ void Sum(int* to, const int* from) { *to = from[0] + from[1]; }
__global__ void Nothing() {}

__global__ void PassShared(int* to) {
  __shared__ int values[2];
  values[0] = values[1] = 1;
  Sum<<<1, 1>>>(to, values);
}
__global__ void PassLocal(int* to) {
  int values[2] = {1, 1};
  Sum<<<1, 1>>>(to, values);
}
__global__ void UseStream(cudaStream_t stream) { Nothing<<<1, 1, 0, stream>>>(); }
__global__ void MakeBlockingStream() {
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
}
__global__ void LaunchTooLarge() { Nothing<<<1, 2048>>>(); }
__global__ void LaunchEndlessly() { LaunchEndlessly<<<1, 1>>>(); }
__global__ void LaunchManyTails() {
  for (int i = 0; i < 2049; ++i) Nothing<<<1, 1, 0, cudaStreamTailLaunch>>>();
}

template <void (*kKernel)(int*)>
void Launch() {
  kKernel<<<1, 1>>>(Allocate(3));
}

PROGRAM(SharedMemoryOfTheParent) { Launch<PassShared>(); }
PROGRAM(LocalMemoryOfTheParent) { Launch<PassLocal>(); }

PROGRAM(StreamOfTheHost) {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  UseStream<<<1, 1>>>(stream);
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
}
PROGRAM(BlockingStream) { MakeBlockingStream<<<1, 1>>>(); }
PROGRAM(ChildTooLarge) { LaunchTooLarge<<<1, 1>>>(); }
PROGRAM(NestedTooDeep) { LaunchEndlessly<<<1, 1>>>(); }
PROGRAM(TooManyTailLaunches) { LaunchManyTails<<<1, 1>>>(); }

}  // namespace children
