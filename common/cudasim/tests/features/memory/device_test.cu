// Queries of the device: properties, attributes, limits, versions.
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include "common/cudasim/tests/features/test.h"

namespace {

__global__ void SetToOne(int* value) { *value = 1; }

int Attribute(cudaDeviceAttr attribute) {
  int value = -1;
  EXPECT_OK(cudaDeviceGetAttribute(&value, attribute, 0)) << attribute;
  return value;
}

TEST(DeviceTest, HasThePropertiesOfAnH100) {
  cudaDeviceProp p;
  ASSERT_OK(cudaGetDeviceProperties(&p, 0));
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
  ASSERT_OK(cudaGetDeviceProperties(&p, 0));
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
  ASSERT_OK(cudaGetDeviceProperties(&p, 0));
  EXPECT_EQ(__CUDA_ARCH__, 100 * p.major + 10 * p.minor);
}

TEST(DeviceTest, KeepsLimits) {
  size_t bytes = 0;
  ASSERT_OK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
  EXPECT_EQ(bytes, size_t{8} << 20);
  ASSERT_OK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 << 20));
  ASSERT_OK(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize));
  EXPECT_EQ(bytes, size_t{2} << 20);
  ASSERT_OK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(77), 1), cudaErrorUnsupportedLimit);
  EXPECT_EQ(cudaGetLastError(), cudaErrorUnsupportedLimit);
}

TEST(DeviceTest, KeepsSettings) {
  cudaFuncCache cache = cudaFuncCachePreferNone;
  ASSERT_OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  ASSERT_OK(cudaDeviceGetCacheConfig(&cache));
  EXPECT_EQ(cache, cudaFuncCachePreferL1);
  unsigned flags = 0;
  ASSERT_OK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  ASSERT_OK(cudaGetDeviceFlags(&flags));
  EXPECT_EQ(flags & cudaDeviceScheduleMask, unsigned{cudaDeviceScheduleBlockingSync});
  cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
  ASSERT_OK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  ASSERT_OK(cudaDeviceGetSharedMemConfig(&banks));
  EXPECT_EQ(banks, cudaSharedMemBankSizeFourByte);
}

TEST(DeviceTest, TellsVersionsAndChoosesTheOneDevice) {
  int driver = 0;
  int runtime = 0;
  ASSERT_OK(cudaDriverGetVersion(&driver));
  ASSERT_OK(cudaRuntimeGetVersion(&runtime));
  EXPECT_EQ(runtime, CUDART_VERSION);
  EXPECT_GE(driver, runtime);
  cudaDeviceProp wanted{};
  wanted.major = 3;
  int device = -1;
  ASSERT_OK(cudaChooseDevice(&device, &wanted));
  EXPECT_EQ(device, 0);
  EXPECT_OK(cudaProfilerStart());
  EXPECT_OK(cudaProfilerStop());
}

// Each calls the function that it was renamed to.
TEST(DeviceTest, KnowsTheNamesBeforeCuda5) {
  EXPECT_OK(cudaThreadSetLimit(cudaLimitStackSize, 2048));
  size_t bytes = 0;
  EXPECT_OK(cudaThreadGetLimit(&bytes, cudaLimitStackSize));
  EXPECT_EQ(bytes, 2048u);
  EXPECT_OK(cudaThreadSetCacheConfig(cudaFuncCachePreferL1));
  cudaFuncCache config{};
  EXPECT_OK(cudaThreadGetCacheConfig(&config));
  EXPECT_EQ(config, cudaFuncCachePreferL1);
  int* data = nullptr;
  ASSERT_OK(cudaMallocManaged(&data, sizeof(int)));
  SetToOne<<<1, 1>>>(data);
  EXPECT_OK(cudaThreadSynchronize());
  EXPECT_EQ(*data, 1);
  size_t before = 0;
  size_t after = 0;
  size_t total = 0;
  EXPECT_OK(cudaMemGetInfo(&before, &total));
  EXPECT_OK(cudaThreadExit());
  EXPECT_OK(cudaMemGetInfo(&after, &total));
  EXPECT_GT(after, before);
}

TEST(DeviceTest, TakesHintsForItsCache) {
  cudaStreamAttrValue value{};
  value.accessPolicyWindow = {nullptr, 1024, 0.5f, cudaAccessPropertyPersisting,
                              cudaAccessPropertyStreaming};
  const auto set = [&value](cudaStreamAttrID attribute) {
    return cudaStreamSetAttribute(nullptr, attribute, &value);
  };
  EXPECT_OK(set(cudaStreamAttributeAccessPolicyWindow));
  EXPECT_EQ(set(cudaStreamAttributePriority), cudaErrorNotSupported);
  value.accessPolicyWindow.hitRatio = 2;
  EXPECT_EQ(set(cudaStreamAttributeAccessPolicyWindow), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_OK(cudaCtxResetPersistingL2Cache());
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
  ASSERT_OK(cudaDeviceGetPCIBusId(text, sizeof(text), 0));
  int device = -1;
  ASSERT_OK(cudaDeviceGetByPCIBusId(&device, text));
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaDeviceGetPCIBusId(text, 3, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

}  // namespace
