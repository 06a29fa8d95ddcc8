// Memory that host and device access: pinned, registered, managed; and memory pools.
#include <cstdint>

#include "common/cudasim/tests/features/test.h"

__managed__ int managed_counter = 5;
__device__ __managed__ float managed_values[4] = {1, 2, 3, 4};
__device__ int device_value = 3;

namespace {

__global__ void Double(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= 2;
}

TEST(HostMemoryTest, KernelsReachMappedPinnedMemory) {
  int* host = nullptr;
  int* device = nullptr;
  ASSERT_EQ(cudaHostAlloc(&host, 33 * sizeof(int), cudaHostAllocMapped), cudaSuccess);
  for (int i = 0; i < 33; ++i) host[i] = i;
  ASSERT_EQ(cudaHostGetDevicePointer(&device, host, 0), cudaSuccess);
  Double<<<2, 32>>>(device, 33);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < 33; ++i) EXPECT_EQ(host[i], 2 * i);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
}

TEST(HostMemoryTest, KernelsReachRegisteredMemory) {
  std::vector<int> host(64, 4);
  ASSERT_EQ(cudaHostRegister(host.data(), 64 * sizeof(int), cudaHostRegisterMapped), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(host.data() + 1, 4, 0), cudaErrorHostMemoryAlreadyRegistered);
  int* device = nullptr;
  ASSERT_EQ(cudaHostGetDevicePointer(&device, host.data(), 0), cudaSuccess);
  Double<<<1, 64>>>(device, 64);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(host, std::vector<int>(64, 8));
  ASSERT_EQ(cudaHostUnregister(host.data()), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(host.data()), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(cudaHostGetDevicePointer(&device, host.data(), 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

__global__ void Manage() {
  atomicAdd(&managed_counter, 1);
  managed_values[threadIdx.x] += 0.5f;
}

TEST(HostMemoryTest, BothSidesReadAndWriteManagedVariables) {
  managed_counter += 10;
  Manage<<<1, 4>>>();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(managed_counter, 19);
  EXPECT_EQ(managed_values[3], 4.5f);
}

TEST(HostMemoryTest, TakesHintsForManagedMemory) {
  int* managed = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 40), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 40, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 40, cudaCpuDeviceId, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(managed, 40, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(managed, 40, cudaMemAdviseSetPreferredLocation, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 44, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 40, 3), cudaErrorInvalidDevice);
  DeviceVector<int> other(4);
  EXPECT_EQ(cudaMemPrefetchAsync(other.get(), 16, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
}

TEST(HostMemoryTest, TakesHintsWithTheLocationsOfCuda13) {
  const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
  const cudaMemLocation host = {cudaMemLocationTypeHost, 7};
  int* managed = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 40), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 40, device, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 40, host, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync_v2(managed, 40, host, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(managed, 40, cudaMemAdviseSetPreferredLocation, device), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise_v2(managed, 40, cudaMemAdviseSetReadMostly, host), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 40, {cudaMemLocationTypeDevice, 3}, 0),
            cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 40, {cudaMemLocationTypeInvalid, 0}, 0),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 40, device, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemAdvise(managed, 40, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeNone, 0}),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
}

TEST(HostMemoryTest, AttachesManagedMemoryToStreams) {
  int* managed = nullptr;
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 40), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaStreamAttachMemAsync(stream, managed), cudaSuccess);
  EXPECT_EQ(cudaStreamAttachMemAsync(stream, managed, 40, cudaMemAttachHost), cudaSuccess);
  EXPECT_EQ(cudaStreamAttachMemAsync(stream, managed, 44), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamAttachMemAsync(stream, managed, 0, 8), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamAttachMemAsync(stream, &managed), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
}

TEST(HostMemoryTest, AllocatesForPointersToConstants) {
  const float* floats = nullptr;
  const volatile int* words = nullptr;
  const char* pinned = nullptr;
  const double* managed = nullptr;
  const int* rows = nullptr;
  const char* reached = nullptr;
  size_t pitch = 0;
  EXPECT_EQ(cudaMalloc(&floats, 4), cudaSuccess);
  EXPECT_EQ(cudaMallocAsync(&words, 4, nullptr), cudaSuccess);
  EXPECT_EQ(cudaHostAlloc(&pinned, 4, cudaHostAllocMapped), cudaSuccess);
  EXPECT_EQ(cudaHostGetDevicePointer(&reached, const_cast<char*>(pinned), 0), cudaSuccess);
  EXPECT_EQ(reached, pinned);
  EXPECT_EQ(cudaMallocManaged(&managed, 8), cudaSuccess);
  EXPECT_EQ(cudaMallocPitch(&rows, &pitch, 4, 2), cudaSuccess);
  EXPECT_EQ(cudaFree(const_cast<float*>(floats)), cudaSuccess);
  EXPECT_EQ(cudaFree(const_cast<int*>(words)), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(const_cast<char*>(pinned)), cudaSuccess);
  EXPECT_EQ(cudaFree(const_cast<double*>(managed)), cudaSuccess);
  EXPECT_EQ(cudaFree(const_cast<int*>(rows)), cudaSuccess);
}

cudaMemoryType TypeOf(const void* pointer) {
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
  return attributes.type;
}

TEST(HostMemoryTest, KnowsTheKindOfAPointer) {
  int local = 0;
  int* pinned = nullptr;
  int* managed = nullptr;
  DeviceVector<int> device(2);
  ASSERT_EQ(cudaMallocHost(&pinned, 4), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 4), cudaSuccess);
  EXPECT_EQ(TypeOf(&local), cudaMemoryTypeUnregistered);
  EXPECT_EQ(TypeOf(nullptr), cudaMemoryTypeUnregistered);
  EXPECT_EQ(TypeOf(device.get() + 1), cudaMemoryTypeDevice);
  EXPECT_EQ(TypeOf(pinned), cudaMemoryTypeHost);
  EXPECT_EQ(TypeOf(managed), cudaMemoryTypeManaged);
  EXPECT_EQ(TypeOf(&managed_counter), cudaMemoryTypeManaged);
  void* symbol = nullptr;
  ASSERT_EQ(cudaGetSymbolAddress(&symbol, device_value), cudaSuccess);
  EXPECT_EQ(TypeOf(symbol), cudaMemoryTypeDevice);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
}

TEST(HostMemoryTest, PoolsKeepTheirAttributes) {
  cudaMemPool_t pool = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  std::uint64_t threshold = UINT64_MAX;
  ASSERT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold),
            cudaSuccess);
  threshold = 0;
  ASSERT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold),
            cudaSuccess);
  EXPECT_EQ(threshold, UINT64_MAX);
  EXPECT_EQ(cudaMemPoolTrimTo(pool, 0), cudaSuccess);
  int* values = nullptr;
  ASSERT_EQ(cudaMallocAsync(&values, 128, nullptr), cudaSuccess);
  std::uint64_t used = 0;
  ASSERT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), cudaSuccess);
  EXPECT_GE(used, 128u);
  EXPECT_EQ(cudaFreeAsync(values, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST(HostMemoryTest, MakesAndDestroysPools) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr;
  ASSERT_EQ(cudaMemPoolCreate(&pool, &properties), cudaSuccess);
  ASSERT_EQ(cudaDeviceSetMemPool(0, pool), cudaSuccess);
  cudaMemPool_t current = nullptr;
  ASSERT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_EQ(current, pool);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

__constant__ const float kTable[3] = {1, 2, 3};
__constant__ float scale;

__global__ void Scaled(float* out) { out[threadIdx.x] = scale * kTable[threadIdx.x]; }

TEST(HostMemoryTest, ConstantsWithAndWithoutConstLiveInOneFile) {
  const float two = 2;
  ASSERT_EQ(cudaMemcpyToSymbolAsync(scale, &two, sizeof(two), 0, cudaMemcpyHostToDevice, nullptr),
            cudaSuccess);
  DeviceVector<float> out(3);
  Scaled<<<1, 3>>>(out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<float>{2, 4, 6}));
}

}  // namespace
