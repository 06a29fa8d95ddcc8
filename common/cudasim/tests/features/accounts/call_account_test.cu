// The account of a call: who wrote outputs, which inputs kernels read, bytes moved between sides.
#include <thrust/copy.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <cstring>
#include <numeric>
#include <string>

#include "common/cudasim/include/cudasim/call_account.h"
#include "common/cudasim/instrument/call_account.h"
#include "common/cudasim/tests/features/test.h"

__device__ int device_values[100];
__constant__ int constant_values[100];

namespace {

constexpr int kCount = 100;
constexpr std::uint64_t kBytes = kCount * sizeof(int);

// An argument of the function under test, in device or managed memory.
template <class T>
class Argument {
 public:
  Argument(bool is_output, int count = kCount, bool managed = false) {
    const std::size_t bytes = count * sizeof(T);
    EXPECT_OK(managed ? cudaMallocManaged(&data_, bytes) : cudaMalloc(&data_, bytes));
    const std::vector<T> zeros(count);
    cudaMemcpy(data_, zeros.data(), bytes, cudaMemcpyHostToDevice);
    cudasimNameArgument(data_, is_output ? 1 : 0);
  }
  ~Argument() { cudaFree(data_); }
  Argument(const Argument&) = delete;
  Argument& operator=(const Argument&) = delete;

  T* get() const { return data_; }

 private:
  T* data_ = nullptr;
};

// Device memory that is no argument.
struct Scratch : DeviceVector<int> {
  Scratch() : DeviceVector(kCount) {}
};

template <class Work>
CudasimCallAccount AccountOf(const Work& work) {
  simulatorBeginCall();
  work();
  EXPECT_OK(cudaDeviceSynchronize());
  CudasimCallAccount account;
  simulatorEndCall(&account);
  return account;
}

#define EXPECT_CHARGE(bytes, ...) \
  EXPECT_EQ(AccountOf(__VA_ARGS__).output_bytes_from_host, std::uint64_t{bytes})
#define EXPECT_UNREAD(inputs, ...) EXPECT_EQ(AccountOf(__VA_ARGS__).unread_inputs, inputs)

// A result that the function computes on the host.
std::vector<int> HostValues() {
  std::vector<int> values(kCount);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

void CopyFromHost(int* to, int count = kCount) {
  const std::vector<int> values = HostValues();
  cudaMemcpy(to, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
}

template <class T>
__global__ void Fill(T* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = static_cast<T>(i);
}

void FillOnDevice(int* out, int count = kCount) { Fill<<<4, 32>>>(out, count); }

class OutputTest : public testing::Test {
 protected:
  Argument<int> out_{true};
  Scratch scratch_;
};

TEST_F(OutputTest, WhatAKernelWritesIsFree) {
  const CudasimCallAccount account = AccountOf([&] { FillOnDevice(out_.get()); });
  EXPECT_EQ(account.output_bytes_from_host, 0u);
  EXPECT_STREQ(account.copy, "");
  EXPECT_EQ(account.outputs, 1u);
  EXPECT_EQ(account.inputs, 0u);
}

TEST_F(OutputTest, ACopyFromTheHostIsChargedAndNamed) {
  const std::vector<int> values = HostValues();
  const int line = __LINE__ + 2;
  const CudasimCallAccount account =
      AccountOf([&] { cudaMemcpy(out_.get(), values.data(), kBytes, cudaMemcpyHostToDevice); });
  EXPECT_EQ(account.output_bytes_from_host, kBytes);
  const std::string copy = account.copy;
  EXPECT_EQ(copy.find("cudaMemcpy at "), 0u) << copy;
  EXPECT_NE(copy.find("call_account_test.cu:" + std::to_string(line)), std::string::npos) << copy;
}

TEST_F(OutputTest, WhatAnAlgorithmOfThrustWritesOnTheDeviceIsFree) {
  EXPECT_CHARGE(0, [&] {
    thrust::sequence(thrust::device, out_.get(), out_.get() + kCount);
    thrust::sort(thrust::device, out_.get(), out_.get() + kCount);
  });
}

TEST_F(OutputTest, ACopyByThrustFromTheHostIsChargedToTheCall) {
  const std::vector<int> values = HostValues();
  const thrust::device_ptr<int> out(out_.get());
  const int line = __LINE__ + 2;
  const CudasimCallAccount account =
      AccountOf([&] { thrust::copy(values.begin(), values.end(), out); });
  EXPECT_EQ(account.output_bytes_from_host, kBytes);
  const std::string copy = account.copy;
  EXPECT_NE(copy.find("call_account_test.cu:" + std::to_string(line)), std::string::npos) << copy;
}

TEST_F(OutputTest, WhatTheCallDoesNotWriteIsFree) {
  CopyFromHost(out_.get());
  EXPECT_CHARGE(0, [] {});
}

// An output in memory that the host reaches: pinned, or else managed.
class HostVisibleOutputTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    ASSERT_OK(GetParam() ? cudaMallocHost(&out_, kBytes) : cudaMallocManaged(&out_, kBytes));
    cudasimNameArgument(out_, 1);
  }
  void TearDown() override { EXPECT_OK(GetParam() ? cudaFreeHost(out_) : cudaFree(out_)); }

  int* out_ = nullptr;
  Scratch scratch_;
};

TEST_P(HostVisibleOutputTest, WhatAKernelWritesIsFree) {
  EXPECT_CHARGE(0, [&] { FillOnDevice(out_); });
}

TEST_P(HostVisibleOutputTest, WhatIsCopiedFromAKernelsResultIsFree) {
  EXPECT_CHARGE(0, [&] {
    FillOnDevice(scratch_.get());
    cudaMemcpy(out_, scratch_.get(), kBytes, cudaMemcpyDefault);
  });
}

TEST_P(HostVisibleOutputTest, WhatTheHostStoresIsCharged) {
  const CudasimCallAccount account = AccountOf([&] {
    FillOnDevice(out_);
    cudaDeviceSynchronize();
    for (int i = 0; i < 30; ++i) out_[i] = i;
  });
  EXPECT_EQ(account.output_bytes_from_host, 30 * sizeof(int));
  EXPECT_EQ(std::string(account.copy).find("store by the host at "), 0u) << account.copy;
}

TEST_P(HostVisibleOutputTest, WhatGoesFromTheHostToTheDeviceAndBackIsCharged) {
  EXPECT_CHARGE(kBytes, [&] {
    CopyFromHost(scratch_.get());
    cudaMemcpy(out_, scratch_.get(), kBytes, cudaMemcpyDefault);
  });
}

// The host may have written it unseen.
TEST_P(HostVisibleOutputTest, WhatNoKernelHasWrittenIsCharged) {
  const CudasimCallAccount account = AccountOf([&] { FillOnDevice(out_, kCount - 20); });
  EXPECT_EQ(account.output_bytes_from_host, 20 * sizeof(int));
  EXPECT_STREQ(account.copy, "stores of the host");
}

INSTANTIATE_TEST_SUITE_P(PinnedOrManaged, HostVisibleOutputTest, testing::Bool());

volatile int sink;

TEST(PinnedInputTest, IsReadByACopyToTheDeviceOrByTheHost) {
  int* in = nullptr;
  ASSERT_OK(cudaMallocHost(&in, kBytes));
  cudasimNameArgument(in, 0);
  const Scratch scratch;
  EXPECT_UNREAD(1u, [] {});
  EXPECT_UNREAD(1u, [&] { CopyFromHost(scratch.get()); });
  EXPECT_UNREAD(0u, [&] { cudaMemcpy(scratch.get(), in, sizeof(int), cudaMemcpyHostToDevice); });
  EXPECT_UNREAD(0u, [&] { sink = in[7]; });
  EXPECT_OK(cudaFreeHost(in));
}

TEST_F(OutputTest, AKernelThatWritesOverACopyMakesItFree) {
  EXPECT_CHARGE(0, [&] {
    CopyFromHost(out_.get());
    FillOnDevice(out_.get());
  });
}

TEST_F(OutputTest, ACopyOverWhatAKernelWroteIsCharged) {
  EXPECT_CHARGE(kBytes, [&] {
    FillOnDevice(out_.get());
    CopyFromHost(out_.get());
  });
}

TEST_F(OutputTest, WhatAKernelLeavesOfACopyIsCharged) {
  EXPECT_CHARGE(40 * sizeof(int), [&] {
    CopyFromHost(out_.get());
    FillOnDevice(out_.get(), 60);
  });
}

__global__ void Increment(int* out) { atomicAdd(&out[threadIdx.x], 1); }

__global__ void CopyInKernel(const int* in, int* out, int count) {
  memcpy(out, in, count * sizeof(int));
}

struct Wide {
  int values[10];
};
__global__ void CopyStructs(const Wide* in, Wide* out) { out[threadIdx.x] = in[threadIdx.x]; }

TEST_F(OutputTest, AtomicsMemcpyAndStructsOfAKernelAreWritesToo) {
  EXPECT_CHARGE(0, [&] {
    CopyFromHost(out_.get());
    Increment<<<1, kCount>>>(out_.get());
  });
  EXPECT_CHARGE(10 * sizeof(int), [&] {
    CopyFromHost(out_.get());
    FillOnDevice(scratch_.get());
    CopyInKernel<<<1, 1>>>(scratch_.get(), out_.get(), 90);
  });
  EXPECT_CHARGE(10 * sizeof(int), [&] {
    CopyFromHost(out_.get());
    FillOnDevice(scratch_.get());
    CopyStructs<<<1, 9>>>(reinterpret_cast<Wide*>(scratch_.get()),
                          reinterpret_cast<Wide*>(out_.get()));
  });
}

TEST_F(OutputTest, AFillIsChargedTheWidthOfItsValue) {
  EXPECT_CHARGE(1, [&] { cudaMemset(out_.get(), 0, kBytes); });
  EXPECT_CHARGE(0, [&] {
    cudaMemset(out_.get(), 0, kBytes);
    FillOnDevice(out_.get());
  });
}

TEST_F(OutputTest, FillsByteByByteAreChargedEach) {
  const CudasimCallAccount account = AccountOf([&] {
    for (int i = 0; i < kCount; ++i) cudaMemset(out_.get() + i, i, 1);
  });
  EXPECT_EQ(account.output_bytes_from_host, std::uint64_t{kCount});
  EXPECT_EQ(std::string(account.copy).find("cudaMemset at "), 0u) << account.copy;
}

TEST_F(OutputTest, ACopyOnTheDeviceCarriesTheMarks) {
  EXPECT_CHARGE(0, [&] {
    FillOnDevice(scratch_.get());
    cudaMemcpy(out_.get(), scratch_.get(), kBytes, cudaMemcpyDeviceToDevice);
  });
  EXPECT_CHARGE(70 * sizeof(int), [&] {
    CopyFromHost(scratch_.get());
    FillOnDevice(scratch_.get(), 30);
    cudaMemcpy(out_.get(), scratch_.get(), kBytes, cudaMemcpyDeviceToDevice);
  });
}

TEST_F(OutputTest, ATableOfFilledBytesFromWhichTheHostPicksIsChargedByTheCopy) {
  EXPECT_CHARGE(kCount, [&] {
    for (int i = 0; i < 4; ++i) cudaMemset(scratch_.get() + i, i, 1);
    for (int i = 0; i < kCount; ++i) {
      cudaMemcpy(out_.get() + i, scratch_.get() + i % 4, 1, cudaMemcpyDeviceToDevice);
    }
  });
}

TEST_F(OutputTest, DeviceVariablesCarryMarksAndConstantsAreTheHosts) {
  const auto take = [&](const void* symbol) {
    cudaMemcpy(out_.get(), symbol, kBytes, cudaMemcpyDeviceToDevice);
  };
  const std::vector<int> values = HostValues();
  void* symbol = nullptr;
  cudaGetSymbolAddress(&symbol, device_values);
  EXPECT_CHARGE(kBytes, [&] {
    cudaMemcpyToSymbol(device_values, values.data(), kBytes);
    take(symbol);
  });
  EXPECT_CHARGE(0, [&] {
    cudaMemcpyToSymbol(device_values, values.data(), kBytes);
    FillOnDevice(static_cast<int*>(symbol));
    take(symbol);
  });
  cudaGetSymbolAddress(&symbol, constant_values);
  EXPECT_CHARGE(kBytes, [&] { take(symbol); });
}

TEST_F(OutputTest, RowsOfA2DCopyAreChargedAndNotTheGaps) {
  const std::vector<int> values = HostValues();
  EXPECT_CHARGE(30 * sizeof(int), [&] {
    cudaMemcpy2D(out_.get(), 10 * sizeof(int), values.data(), 3 * sizeof(int), 3 * sizeof(int), 10,
                 cudaMemcpyHostToDevice);
  });
  EXPECT_CHARGE(1, [&] { cudaMemset2D(out_.get(), 40, 1, 12, 10); });
}

TEST_F(OutputTest, PinnedMemoryIsTheHosts) {
  int* pinned = nullptr;
  ASSERT_OK(cudaMallocHost(&pinned, kBytes));
  std::memset(pinned, 1, kBytes);
  EXPECT_CHARGE(kBytes, [&] { cudaMemcpy(out_.get(), pinned, kBytes, cudaMemcpyDefault); });
  cudaFreeHost(pinned);
}

TEST_F(OutputTest, NamesWhatLeftMostOfTheOutputThatHasMost) {
  Argument<int> other(true);
  const std::vector<int> values = HostValues();
  const int line = __LINE__ + 4;
  const CudasimCallAccount account = AccountOf([&] {
    cudaMemcpy(other.get(), values.data(), 200, cudaMemcpyHostToDevice);
    cudaMemcpy(out_.get(), values.data(), 100, cudaMemcpyHostToDevice);
    cudaMemcpy(out_.get() + 25, values.data(), 300, cudaMemcpyHostToDevice);
  });
  EXPECT_EQ(account.outputs, 2u);
  EXPECT_EQ(account.output_bytes_from_host, kBytes);
  const std::string copy = account.copy;
  EXPECT_NE(copy.find(":" + std::to_string(line)), std::string::npos) << copy;
}

TEST_F(OutputTest, AnArgumentThatIsStagedWhileTheCallRunsIsNoneOfItsDoing) {
  simulatorBeginCall();
  Argument<int> caller(true);
  CudasimCallAccount account;
  simulatorEndCall(&account);
  EXPECT_EQ(account.outputs, 2u);
  EXPECT_EQ(account.output_bytes_from_host, 0u);
}

TEST_F(OutputTest, MemoryThatIsFreedLeavesNoMarks) {
  EXPECT_CHARGE(0, [&] {
    for (int i = 0; i < 2000; ++i) {  // enough for the heap to reuse addresses
      int* memory = nullptr;
      cudaMalloc(&memory, kBytes);
      cudaMemcpy(out_.get(), memory, kBytes, cudaMemcpyDeviceToDevice);
      CopyFromHost(memory);
      cudaFree(memory);
    }
  });
}

TEST(CharOutputTest, CountsSingleBytes) {
  const Argument<unsigned char> out(true, 7);
  const char text[] = "abcdefg";
  EXPECT_CHARGE(4, [&] {
    cudaMemcpy(out.get(), text, 7, cudaMemcpyHostToDevice);
    Fill<<<1, 32>>>(out.get(), 3);
  });
  EXPECT_CHARGE(3, [&] { cudaMemcpy(out.get() + 2, text, 3, cudaMemcpyHostToDevice); });
}

__global__ void ReadOne(const int* in, int at, int* out) { *out = in[at]; }

__global__ void ReadTexture(cudaTextureObject_t texture, int* out) {
  *out = tex1Dfetch<int>(texture, 3);
}

class InputTest : public testing::Test {
 protected:
  Argument<int> in_{false};
  Argument<int> second_{false};
  Argument<int> out_{true};
};

TEST_F(InputTest, CountsThoseOfWhichNothingReadsAByte) {
  CudasimCallAccount account = AccountOf([&] { FillOnDevice(out_.get()); });
  EXPECT_EQ(account.inputs, 2u);
  EXPECT_EQ(account.unread_inputs, 2u);
  account = AccountOf([&] { ReadOne<<<1, 1>>>(second_.get(), 99, out_.get()); });
  EXPECT_EQ(account.unread_inputs, 1u);
  account = AccountOf([&] {
    ReadOne<<<1, 1>>>(second_.get(), 0, out_.get());
    ReadOne<<<1, 1>>>(in_.get(), 57, out_.get());
  });
  EXPECT_EQ(account.unread_inputs, 0u);
}

TEST_F(InputTest, ACopyIsARead) {
  std::vector<int> host(kCount);
  EXPECT_UNREAD(1u, [&] { cudaMemcpy(host.data(), in_.get(), kBytes, cudaMemcpyDeviceToHost); });
  EXPECT_UNREAD(1u, [&] { cudaMemcpy(out_.get(), in_.get(), kBytes, cudaMemcpyDeviceToDevice); });
}

TEST_F(InputTest, ATextureFetchIsARead) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = in_.get();
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = kBytes;
  cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  ASSERT_OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  EXPECT_UNREAD(1u, [&] { ReadTexture<<<1, 1>>>(texture, out_.get()); });
  cudaDestroyTextureObject(texture);
}

TEST_F(InputTest, EachCallReadsForItself) {
  const auto read = [&] { ReadOne<<<1, 1>>>(in_.get(), 0, out_.get()); };
  EXPECT_UNREAD(1u, read);
  EXPECT_UNREAD(2u, [] {});
}

template <class Work>
std::uint64_t MovedBy(const Work& work) {
  AccountOf(work);
  return cudasim::HostDeviceBytes();
}

TEST_F(InputTest, CopiesBetweenHostAndDeviceMoveTheirBytes) {
  std::vector<int> host(kCount);
  EXPECT_EQ(MovedBy([&] { CopyFromHost(out_.get()); }), kBytes);
  EXPECT_EQ(MovedBy([&] { cudaMemcpyFromSymbol(host.data(), device_values, 40); }), 40u);
  EXPECT_EQ(MovedBy([&] {
              cudaMemcpy2D(host.data(), 40, in_.get(), 40, 12, 10, cudaMemcpyDeviceToHost);
            }),
            120u);
  EXPECT_EQ(MovedBy([&] {
              cudaMemcpy(out_.get(), in_.get(), kBytes, cudaMemcpyDeviceToDevice);
              cudaMemset(out_.get(), 0, kBytes);
              FillOnDevice(out_.get());
            }),
            0u);
}

TEST_F(InputTest, WhatIsFetchedAfterTheCallDoesNotCount) {
  std::vector<int> host(kCount);
  EXPECT_EQ(MovedBy([&] { FillOnDevice(out_.get()); }), 0u);
  cudaMemcpy(host.data(), out_.get(), kBytes, cudaMemcpyDeviceToHost);
  EXPECT_EQ(cudasim::HostDeviceBytes(), 0u);
}

struct Parameters {
  int values[kCount];
};
__global__ void TakeParameters(Parameters parameters, int* out) {
  out[threadIdx.x] = parameters.values[threadIdx.x];
}

TEST_F(InputTest, ParametersBeyondAFewAreBytesThatMove) {
  EXPECT_EQ(MovedBy([&] { TakeParameters<<<1, kCount>>>(Parameters{}, out_.get()); }),
            kBytes + sizeof(int*) - 64);
}

__global__ void CountTwice(int* count) {
  atomicAdd(count, 1);
  atomicAdd(count, 1);
}

// Check mode does not count these.
TEST_F(InputTest, KernelsMoveWhatTheyReadOfPinnedAndManagedMemory) {
  if (cudasimChecks() != 0) GTEST_SKIP() << "profile mode alone counts kernels' accesses";
  int* pinned = nullptr;
  ASSERT_OK(cudaMallocHost(&pinned, kBytes));
  EXPECT_EQ(MovedBy([&] { FillOnDevice(pinned); }), kBytes);
  cudaFreeHost(pinned);
  const Argument<int> managed(true, kCount, true);
  EXPECT_EQ(MovedBy([&] { FillOnDevice(managed.get()); }), kBytes);
  EXPECT_EQ(MovedBy([&] { managed.get()[3] = 1; }), sizeof(int));
  EXPECT_EQ(MovedBy([&] { CountTwice<<<4, 32>>>(managed.get()); }), sizeof(int));
  EXPECT_EQ(MovedBy([&] { FillOnDevice(out_.get()); }), 0u);
}

}  // namespace
