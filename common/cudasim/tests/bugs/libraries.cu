// Programs that misuse Thrust and CUB.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cub/cub.cuh>

#include "common/cudasim/tests/bugs/bugs.h"

namespace libraries {

constexpr int kCount = 32;

volatile int sink;

__global__ void Set(int* to, int value) { to[threadIdx.x] = value; }

int* NewManaged() {
  int* memory = nullptr;
  cudaMallocManaged(&memory, kCount * sizeof(int));
  return memory;
}

PROGRAM(HostPointerWithTheDevicesPolicy) {
  int values[kCount] = {};
  thrust::sort(thrust::device, values, values + kCount);
}

PROGRAM(DevicePointerWithoutAPolicy) {
  int* const values = Zeros(kCount);
  thrust::sort(values, values + kCount);
}

PROGRAM(TransformOutOfBounds) {
  thrust::device_vector<int> out(kCount - 1);
  thrust::device_ptr<int> first(Zeros(kCount));
  thrust::transform(first, first + kCount, out.begin(), thrust::negate<int>());
}

PROGRAM(UninitialisedInput) {
  int* const values = Allocate(kCount);
  thrust::inclusive_scan(thrust::device, values, values + kCount, values);
}

PROGRAM(InputOfAnotherStream) {
  int* const values = Zeros(kCount);
  const cudaStream_t producer = NewStream(cudaStreamNonBlocking);
  const cudaStream_t consumer = NewStream(cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  Set<<<1, kCount, 0, producer>>>(values, 1);
  sink = thrust::reduce(thrust::cuda::par.on(consumer), values, values + kCount);
}

PROGRAM(ResultReadBeforeTheStreamIsWaitedFor) {
  int* const values = NewManaged();
  thrust::sequence(thrust::device, values, values + kCount);
  const cudaStream_t stream = NewStream(cudaStreamNonBlocking);
  thrust::sort(thrust::cuda::par_nosync.on(stream), values, values + kCount);
  sink = values[0];
}

// The program meant to add up in an atomic operation.
PROGRAM(RaceInAFunction) {
  int* const sum = Zeros(kCount);
  const thrust::counting_iterator<int> first(0);
  thrust::for_each(first, first + kCount, [=] __device__(int i) { *sum += i; });
}

// Allocates for the number of values in place of the bytes that CUB asks for.
PROGRAM(SmallTemporaryStorage) {
  int* const in = Zeros(kCount);
  int* const out = Zeros(kCount);
  std::size_t bytes = kCount;
  void* storage = nullptr;
  cudaMalloc(&storage, bytes);
  cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, kCount);
}

// Tells CUB of more storage than it has.
PROGRAM(StorageSmallerThanItsSize) {
  int* const in = Zeros(kCount);
  int* const out = Zeros(kCount);
  std::size_t bytes = 0;
  cub::DeviceScan::ExclusiveSum(nullptr, bytes, in, out, kCount);
  void* storage = nullptr;
  cudaMalloc(&storage, bytes / 2);
  cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, kCount);
}

PROGRAM(StorageOfTwoStreams) {
  int* const in = Zeros(kCount);
  int* const first_out = Zeros(kCount);
  int* const second_out = Zeros(kCount);
  const cudaStream_t first = NewStream(cudaStreamNonBlocking);
  const cudaStream_t second = NewStream(cudaStreamNonBlocking);
  std::size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, in, first_out, kCount);
  void* storage = nullptr;
  cudaMalloc(&storage, bytes);
  cudaDeviceSynchronize();
  cub::DeviceReduce::Sum(storage, bytes, in, first_out, kCount, first);
  cub::DeviceReduce::Sum(storage, bytes, in, second_out, kCount, second);
}

__global__ void ReduceTwice(int* out) {
  using Reduce = cub::BlockReduce<int, 64>;
  __shared__ typename Reduce::TempStorage storage;
  const int sum = Reduce(storage).Sum(1);
  const int largest = Reduce(storage).Reduce(2, [] __device__(int a, int b) { return max(a, b); });
  if (threadIdx.x == 0) *out = sum + largest;
}

PROGRAM(BlocksStorageUsedAgainWithoutABarrier) { ReduceTwice<<<1, 64>>>(Zeros(kCount)); }

}  // namespace libraries
