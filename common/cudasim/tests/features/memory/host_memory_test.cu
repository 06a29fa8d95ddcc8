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
  ASSERT_OK(cudaHostAlloc(&host, 33 * sizeof(int), cudaHostAllocMapped));
  for (int i = 0; i < 33; ++i) host[i] = i;
  ASSERT_OK(cudaHostGetDevicePointer(&device, host, 0));
  Double<<<2, 32>>>(device, 33);
  ASSERT_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 33; ++i) EXPECT_EQ(host[i], 2 * i);
  EXPECT_OK(cudaFreeHost(host));
}

TEST(HostMemoryTest, KernelsReachRegisteredMemory) {
  std::vector<int> host(64, 4);
  ASSERT_OK(cudaHostRegister(host.data(), 64 * sizeof(int), cudaHostRegisterMapped));
  EXPECT_EQ(cudaHostRegister(host.data() + 1, 4, 0), cudaErrorHostMemoryAlreadyRegistered);
  int* device = nullptr;
  ASSERT_OK(cudaHostGetDevicePointer(&device, host.data(), 0));
  Double<<<1, 64>>>(device, 64);
  ASSERT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(host, std::vector<int>(64, 8));
  ASSERT_OK(cudaHostUnregister(host.data()));
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
  ASSERT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(managed_counter, 19);
  EXPECT_EQ(managed_values[3], 4.5f);
}

TEST(HostMemoryTest, TakesHintsForManagedMemory) {
  int* managed = nullptr;
  ASSERT_OK(cudaMallocManaged(&managed, 40));
  EXPECT_OK(cudaMemPrefetchAsync(managed, 40, 0));
  EXPECT_OK(cudaMemPrefetchAsync(managed, 40, cudaCpuDeviceId, nullptr));
  EXPECT_OK(cudaMemAdvise(managed, 40, cudaMemAdviseSetReadMostly, 0));
  EXPECT_OK(cudaMemAdvise(managed, 40, cudaMemAdviseSetPreferredLocation, 0));
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 44, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 40, 3), cudaErrorInvalidDevice);
  DeviceVector<int> other(4);
  EXPECT_EQ(cudaMemPrefetchAsync(other.get(), 16, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_OK(cudaFree(managed));
}

TEST(HostMemoryTest, TakesHintsWithTheLocationsOfCuda13) {
  const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
  const cudaMemLocation host = {cudaMemLocationTypeHost, 7};
  int* managed = nullptr;
  ASSERT_OK(cudaMallocManaged(&managed, 40));
  EXPECT_OK(cudaMemPrefetchAsync(managed, 40, device, 0));
  EXPECT_OK(cudaMemPrefetchAsync(managed, 40, host, 0, nullptr));
  EXPECT_OK(cudaMemPrefetchAsync_v2(managed, 40, host, 0, nullptr));
  EXPECT_OK(cudaMemAdvise(managed, 40, cudaMemAdviseSetPreferredLocation, device));
  EXPECT_OK(cudaMemAdvise_v2(managed, 40, cudaMemAdviseSetReadMostly, host));
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 40, {cudaMemLocationTypeDevice, 3}, 0),
            cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 40, {cudaMemLocationTypeInvalid, 0}, 0),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 40, device, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemAdvise(managed, 40, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeNone, 0}),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_OK(cudaFree(managed));
}

TEST(HostMemoryTest, AttachesManagedMemoryToStreams) {
  int* managed = nullptr;
  cudaStream_t stream = nullptr;
  ASSERT_OK(cudaMallocManaged(&managed, 40));
  ASSERT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaStreamAttachMemAsync(stream, managed));
  EXPECT_OK(cudaStreamAttachMemAsync(stream, managed, 40, cudaMemAttachHost));
  EXPECT_EQ(cudaStreamAttachMemAsync(stream, managed, 44), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamAttachMemAsync(stream, managed, 0, 8), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamAttachMemAsync(stream, &managed), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_OK(cudaFree(managed));
}

TEST(HostMemoryTest, AllocatesForPointersToConstants) {
  const float* floats = nullptr;
  const volatile int* words = nullptr;
  const char* pinned = nullptr;
  const double* managed = nullptr;
  const int* rows = nullptr;
  const char* reached = nullptr;
  size_t pitch = 0;
  EXPECT_OK(cudaMalloc(&floats, 4));
  EXPECT_OK(cudaMallocAsync(&words, 4, nullptr));
  EXPECT_OK(cudaHostAlloc(&pinned, 4, cudaHostAllocMapped));
  EXPECT_OK(cudaHostGetDevicePointer(&reached, const_cast<char*>(pinned), 0));
  EXPECT_EQ(reached, pinned);
  EXPECT_OK(cudaMallocManaged(&managed, 8));
  EXPECT_OK(cudaMallocPitch(&rows, &pitch, 4, 2));
  EXPECT_OK(cudaFree(const_cast<float*>(floats)));
  EXPECT_OK(cudaFree(const_cast<int*>(words)));
  EXPECT_OK(cudaFreeHost(const_cast<char*>(pinned)));
  EXPECT_OK(cudaFree(const_cast<double*>(managed)));
  EXPECT_OK(cudaFree(const_cast<int*>(rows)));
}

cudaMemoryType TypeOf(const void* pointer) {
  cudaPointerAttributes attributes{};
  EXPECT_OK(cudaPointerGetAttributes(&attributes, pointer));
  return attributes.type;
}

TEST(HostMemoryTest, KnowsTheKindOfAPointer) {
  int local = 0;
  int* pinned = nullptr;
  int* managed = nullptr;
  DeviceVector<int> device(2);
  ASSERT_OK(cudaMallocHost(&pinned, 4));
  ASSERT_OK(cudaMallocManaged(&managed, 4));
  EXPECT_EQ(TypeOf(&local), cudaMemoryTypeUnregistered);
  EXPECT_EQ(TypeOf(nullptr), cudaMemoryTypeUnregistered);
  EXPECT_EQ(TypeOf(device.get() + 1), cudaMemoryTypeDevice);
  EXPECT_EQ(TypeOf(pinned), cudaMemoryTypeHost);
  EXPECT_EQ(TypeOf(managed), cudaMemoryTypeManaged);
  EXPECT_EQ(TypeOf(&managed_counter), cudaMemoryTypeManaged);
  void* symbol = nullptr;
  ASSERT_OK(cudaGetSymbolAddress(&symbol, device_value));
  EXPECT_EQ(TypeOf(symbol), cudaMemoryTypeDevice);
  EXPECT_OK(cudaFreeHost(pinned));
  EXPECT_OK(cudaFree(managed));
}

TEST(HostMemoryTest, PoolsKeepTheirAttributes) {
  cudaMemPool_t pool = nullptr;
  ASSERT_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  std::uint64_t threshold = UINT64_MAX;
  ASSERT_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  threshold = 0;
  ASSERT_OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  EXPECT_EQ(threshold, UINT64_MAX);
  EXPECT_OK(cudaMemPoolTrimTo(pool, 0));
  int* values = nullptr;
  ASSERT_OK(cudaMallocAsync(&values, 128, nullptr));
  std::uint64_t used = 0;
  ASSERT_OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EXPECT_GE(used, 128u);
  EXPECT_OK(cudaFreeAsync(values, nullptr));
  EXPECT_OK(cudaDeviceSynchronize());
}

TEST(HostMemoryTest, MakesAndDestroysPools) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr;
  ASSERT_OK(cudaMemPoolCreate(&pool, &properties));
  ASSERT_OK(cudaDeviceSetMemPool(0, pool));
  cudaMemPool_t current = nullptr;
  ASSERT_OK(cudaDeviceGetMemPool(&current, 0));
  EXPECT_EQ(current, pool);
  EXPECT_OK(cudaMemPoolDestroy(pool));
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

__constant__ const float kTable[3] = {1, 2, 3};
__constant__ float scale;

__global__ void Scaled(float* out) { out[threadIdx.x] = scale * kTable[threadIdx.x]; }

TEST(HostMemoryTest, ConstantsWithAndWithoutConstLiveInOneFile) {
  const float two = 2;
  ASSERT_OK(cudaMemcpyToSymbolAsync(scale, &two, sizeof(two), 0, cudaMemcpyHostToDevice, nullptr));
  EXPECT_EQ(StoredBy(Scaled, 3, 3), (std::vector<float>{2, 4, 6}));
}

}  // namespace
