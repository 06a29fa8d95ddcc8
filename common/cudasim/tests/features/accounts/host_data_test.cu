// Where all inputs are the host's, kernels must read the inputs and write the outputs.
#include <string>

#include "common/cudasim/include/cudasim/call_account.h"
#include "common/cudasim/tests/features/test.h"

namespace {

constexpr unsigned kElements = 4096;
constexpr unsigned kBlock = 128;
constexpr std::size_t kElementBytes = kElements * sizeof(unsigned);

__global__ void Add(const unsigned* a, const unsigned* b, unsigned* c) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  c[i] = a[i] + b[i];
}

class HostDataTest : public testing::Test {
 protected:
  HostDataTest() {
    for (unsigned i = 0; i < kElements; ++i) {
      a_[i] = i * 2654435761u + 1;
      b_[i] = i * 1664525u + 7;
    }
  }

  template <class Work>
  CudasimCallAccount AccountOf(const Work& work) {
    simulatorBeginCall();
    cudasimNameHostArgument(a_.data(), kElementBytes, 0);
    cudasimNameHostArgument(b_.data(), kElementBytes, 0);
    cudasimNameHostArgument(c_.data(), kElementBytes, 1);
    work();
    CudasimCallAccount account;
    simulatorEndCall(&account);
    for (unsigned i = 0; i < kElements; ++i) EXPECT_EQ(c_[i], a_[i] + b_[i]);
    return account;
  }

  void AddOnDevice(const unsigned* a, const unsigned* b, unsigned* c) {
    const DeviceVector<unsigned> device_a(kElements), device_b(kElements), device_c(kElements);
    cudaMemcpy(device_a.get(), a, kElementBytes, cudaMemcpyDefault);
    cudaMemcpy(device_b.get(), b, kElementBytes, cudaMemcpyDefault);
    Add<<<kElements / kBlock, kBlock>>>(device_a.get(), device_b.get(), device_c.get());
    cudaMemcpy(c, device_c.get(), kElementBytes, cudaMemcpyDefault);
  }

  std::vector<unsigned> a_ = std::vector<unsigned>(kElements);
  std::vector<unsigned> b_ = std::vector<unsigned>(kElements);
  std::vector<unsigned> c_ = std::vector<unsigned>(kElements);
};

TEST_F(HostDataTest, KernelsThatReadTheInputsAndWriteTheOutputLeaveNothingToTheHost) {
  const auto account = AccountOf([&] { AddOnDevice(a_.data(), b_.data(), c_.data()); });
  EXPECT_EQ(account.output_bytes_from_host, 0) << account.copy;
}

TEST_F(HostDataTest, InputsMayBeStagedAndReordered) {
  const auto account = AccountOf([&] {
    std::vector<unsigned> a(a_.rbegin(), a_.rend());
    unsigned* b = nullptr;
    unsigned* c = nullptr;
    EXPECT_OK(cudaMallocHost(&b, kElementBytes));
    EXPECT_OK(cudaMallocManaged(&c, kElementBytes));
    for (unsigned i = 0; i < kElements; ++i) b[i] = b_[kElements - 1 - i];
    AddOnDevice(a.data(), b, c);
    for (unsigned i = 0; i < kElements; ++i) c_[i] = c[kElements - 1 - i];
    cudaFree(c);
    cudaFreeHost(b);
  });
  EXPECT_EQ(account.output_bytes_from_host, 0) << account.copy;
}

TEST_F(HostDataTest, ManagedMemoryMayHoldInputsAndOutputs) {
  const auto account = AccountOf([&] {
    unsigned* data[3];
    for (unsigned*& vector : data) EXPECT_OK(cudaMallocManaged(&vector, kElementBytes));
    for (unsigned i = 0; i < kElements; ++i) {
      data[0][i] = a_[i];
      data[1][i] = b_[i];
    }
    Add<<<kElements / kBlock, kBlock>>>(data[0], data[1], data[2]);
    EXPECT_OK(cudaDeviceSynchronize());
    for (unsigned i = 0; i < kElements; ++i) c_[i] = data[2][i];
    for (unsigned* const vector : data) cudaFree(vector);
  });
  EXPECT_EQ(account.output_bytes_from_host, 0) << account.copy;
}

TEST_F(HostDataTest, SumsOfTheHostThatAKernelMovesAreTheHosts) {
  const auto account = AccountOf([&] {
    std::vector<unsigned> sums(kElements);
    const std::vector<unsigned> zeros(kElements);
    for (unsigned i = 0; i < kElements; ++i) sums[i] = a_[i] + b_[i];
    AddOnDevice(sums.data(), zeros.data(), c_.data());
  });
  EXPECT_GT(account.output_bytes_from_host, kElementBytes * 9 / 10);
  EXPECT_NE(std::string(account.copy).find("no input holds"), std::string::npos) << account.copy;
}

TEST_F(HostDataTest, AnOutputThatNeverWasOnTheDeviceIsTheHosts) {
  const auto account = AccountOf([&] {
    std::vector<unsigned> unused(kElements);
    AddOnDevice(a_.data(), a_.data(), unused.data());
    for (unsigned i = 0; i < kElements; ++i) c_[i] = a_[i] + b_[i];
  });
  EXPECT_GT(account.output_bytes_from_host, kElementBytes * 9 / 10);
  EXPECT_NE(std::string(account.copy).find("stores of the host"), std::string::npos);
}

TEST_F(HostDataTest, NothingIsConcludedWhereAnInputIsOnTheDevice) {
  const DeviceVector<unsigned> input(kElements);
  cudasimNameArgument(input.get(), 0);
  const auto account = AccountOf([&] {
    for (unsigned i = 0; i < kElements; ++i) c_[i] = a_[i] + b_[i];
  });
  EXPECT_EQ(account.output_bytes_from_host, 0);
}

}  // namespace
