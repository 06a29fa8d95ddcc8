// Queries of the device: properties, attributes, limits, versions.
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include "common/cudasim/tests/features/test.h"

namespace {

__global__ void SetToOne(int* value) { *value = 1; }

int Attribute(cudaDeviceAttr attribute) {
  int value = -1;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, attribute, 0), cudaSuccess) << attribute;
  return value;
}

TEST(DeviceTest, HasThePropertiesOfAnH100) {
  cudaDeviceProp p;
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_EQ(p.multiProcessorCount, 132);
  EXPECT_EQ(p.major * 10 + p.minor, 90);
  EXPECT_EQ(p.sharedMemPerBlock, size_t{48} << 10);
  EXPECT_EQ(p.sharedMemPerBlockOptin, size_t{227} << 10);
  EXPECT_EQ(p.l2CacheSize, 50 << 20);
  // The peak bandwidth as textbooks compute it, in GB/s: two transfers a clock.
  EXPECT_NEAR(2.0 * p.memoryClockRate * (p.memoryBusWidth / 8) / 1e6, 3352, 1);
  EXPECT_GT(p.clockRate, 1000000);
  EXPECT_GT(p.totalGlobalMem, size_t{1} << 20);
}

TEST(DeviceTest, AttributesAgreeWithProperties) {
  cudaDeviceProp p;
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_EQ(Attribute(cudaDevAttrMultiProcessorCount), p.multiProcessorCount);
  EXPECT_EQ(Attribute(cudaDevAttrMaxThreadsPerBlock), 1024);
  EXPECT_EQ(Attribute(cudaDevAttrMaxBlockDimZ), 64);
  EXPECT_EQ(Attribute(cudaDevAttrMaxGridDimX), 2147483647);
  EXPECT_EQ(Attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin), 227 << 10);
  EXPECT_EQ(Attribute(cudaDevAttrClockRate), p.clockRate);
  EXPECT_EQ(Attribute(cudaDevAttrComputeCapabilityMajor), 9);
  EXPECT_EQ(Attribute(cudaDevAttrManagedMemory), 1);
}

TEST(DeviceTest, RefusesOtherDevicesAndUnknownAttributes) {
  int value = 0;
  cudaDeviceProp p;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetDeviceProperties(&p, -1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&value, 0, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST(DeviceTest, IsCompiledForTheArchitectureThatItHas) {
  cudaDeviceProp p;
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_EQ(__CUDA_ARCH__, 100 * p.major + 10 * p.minor);
}

TEST(DeviceTest, KeepsLimits) {
  size_t bytes = 0;
  ASSERT_EQ(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_EQ(bytes, size_t{8} << 20);
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 << 20), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize), cudaSuccess);
  EXPECT_EQ(bytes, size_t{2} << 20);
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 4096), cudaSuccess);
  EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(77), 1), cudaErrorUnsupportedLimit);
  EXPECT_EQ(cudaGetLastError(), cudaErrorUnsupportedLimit);
}

TEST(DeviceTest, KeepsSettings) {
  cudaFuncCache cache = cudaFuncCachePreferNone;
  ASSERT_EQ(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetCacheConfig(&cache), cudaSuccess);
  EXPECT_EQ(cache, cudaFuncCachePreferL1);
  unsigned flags = 0;
  ASSERT_EQ(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync), cudaSuccess);
  ASSERT_EQ(cudaGetDeviceFlags(&flags), cudaSuccess);
  EXPECT_EQ(flags & cudaDeviceScheduleMask, unsigned{cudaDeviceScheduleBlockingSync});
  cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
  ASSERT_EQ(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetSharedMemConfig(&banks), cudaSuccess);
  EXPECT_EQ(banks, cudaSharedMemBankSizeFourByte);
}

TEST(DeviceTest, TellsVersionsAndChoosesTheOneDevice) {
  int driver = 0;
  int runtime = 0;
  ASSERT_EQ(cudaDriverGetVersion(&driver), cudaSuccess);
  ASSERT_EQ(cudaRuntimeGetVersion(&runtime), cudaSuccess);
  EXPECT_EQ(runtime, CUDART_VERSION);
  EXPECT_GE(driver, runtime);
  cudaDeviceProp wanted{};
  wanted.major = 3;
  int device = -1;
  ASSERT_EQ(cudaChooseDevice(&device, &wanted), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaProfilerStart(), cudaSuccess);
  EXPECT_EQ(cudaProfilerStop(), cudaSuccess);
}

// Each calls the function that it was renamed to.
TEST(DeviceTest, KnowsTheNamesBeforeCuda5) {
  EXPECT_EQ(cudaThreadSetLimit(cudaLimitStackSize, 2048), cudaSuccess);
  size_t bytes = 0;
  EXPECT_EQ(cudaThreadGetLimit(&bytes, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(bytes, 2048u);
  EXPECT_EQ(cudaThreadSetCacheConfig(cudaFuncCachePreferL1), cudaSuccess);
  cudaFuncCache config{};
  EXPECT_EQ(cudaThreadGetCacheConfig(&config), cudaSuccess);
  EXPECT_EQ(config, cudaFuncCachePreferL1);
  int* data = nullptr;
  ASSERT_EQ(cudaMallocManaged(&data, sizeof(int)), cudaSuccess);
  SetToOne<<<1, 1>>>(data);
  EXPECT_EQ(cudaThreadSynchronize(), cudaSuccess);
  EXPECT_EQ(*data, 1);
  size_t before = 0;
  size_t after = 0;
  size_t total = 0;
  EXPECT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  EXPECT_EQ(cudaThreadExit(), cudaSuccess);
  EXPECT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_GT(after, before);
}

TEST(DeviceTest, TakesHintsForItsCache) {
  cudaStreamAttrValue value{};
  value.accessPolicyWindow = {nullptr, 1024, 0.5f, cudaAccessPropertyPersisting,
                              cudaAccessPropertyStreaming};
  const auto set = [&value](cudaStreamAttrID attribute) {
    return cudaStreamSetAttribute(nullptr, attribute, &value);
  };
  EXPECT_EQ(set(cudaStreamAttributeAccessPolicyWindow), cudaSuccess);
  EXPECT_EQ(set(cudaStreamAttributePriority), cudaErrorNotSupported);
  value.accessPolicyWindow.hitRatio = 2;
  EXPECT_EQ(set(cudaStreamAttributeAccessPolicyWindow), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCtxResetPersistingL2Cache(), cudaSuccess);
}

TEST(DeviceTest, HasNoProfilerThatMarksAndRangesCouldReach) {
  nvtxEventAttributes_t event{};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.message.ascii = "range";
  nvtxMark("here");
  EXPECT_EQ(nvtxRangePush("outer"), 0);
  EXPECT_EQ(nvtxRangePushEx(&event), 0);
  EXPECT_EQ(nvtxRangePop(), 0);
  nvtxRangeEnd(nvtxRangeStart("all"));
}

TEST(DeviceTest, IsFoundByItsBusId) {
  char text[32];
  ASSERT_EQ(cudaDeviceGetPCIBusId(text, sizeof(text), 0), cudaSuccess);
  int device = -1;
  ASSERT_EQ(cudaDeviceGetByPCIBusId(&device, text), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaDeviceGetPCIBusId(text, 3, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

}  // namespace
