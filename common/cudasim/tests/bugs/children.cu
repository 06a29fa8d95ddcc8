// Programs that misuse launches by kernels.
#include "common/cudasim/tests/bugs/bugs.h"

namespace {

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
  int* to = nullptr;
  cudaMalloc(&to, 3 * sizeof(int));
  kKernel<<<1, 1>>>(to);
  cudaDeviceSynchronize();
  cudaFree(to);
}

void SharedMemoryOfTheParent() { Launch<PassShared>(); }
void LocalMemoryOfTheParent() { Launch<PassLocal>(); }

void StreamOfTheHost() {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  UseStream<<<1, 1>>>(stream);
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
}
void BlockingStream() {
  MakeBlockingStream<<<1, 1>>>();
  cudaDeviceSynchronize();
}
void ChildTooLarge() {
  LaunchTooLarge<<<1, 1>>>();
  cudaDeviceSynchronize();
}
void NestedTooDeep() {
  LaunchEndlessly<<<1, 1>>>();
  cudaDeviceSynchronize();
}
void TooManyTailLaunches() {
  LaunchManyTails<<<1, 1>>>();
  cudaDeviceSynchronize();
}

}  // namespace

int main(int argc, char** argv) {
  return RunBug(
      argc, argv,
      {BUG(SharedMemoryOfTheParent), BUG(LocalMemoryOfTheParent), BUG(StreamOfTheHost),
       BUG(BlockingStream), BUG(ChildTooLarge), BUG(NestedTooDeep), BUG(TooManyTailLaunches)});
}
