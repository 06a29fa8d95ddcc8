// Calls of the API that are made to fail.
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "common/cudasim/include/cudasim/fail_call.h"
#include "common/cudasim/tests/features/test.h"

__device__ int device_value;

namespace {

class FailCallTest : public testing::Test {
 protected:
  FailCallTest() {
    cudaMalloc(&memory_, 64);
    cudaMemset(memory_, 0, 64);
    cudaDeviceSynchronize();
  }
  ~FailCallTest() override {
    simulatorFailCall(0, 0);
    cudaFree(memory_);
  }

  int Value() {
    int value = 0;
    EXPECT_OK(cudaMemcpy(&value, memory_, sizeof(value), cudaMemcpyDeviceToHost));
    return value;
  }

  int* memory_ = nullptr;
};

TEST_F(FailCallTest, EachKindOfCallFailsOnceAndLeavesNoStickyError) {
  int host = 0;
  int number = 0;
  int* pointer = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaEvent_t event = nullptr;
  cudaStream_t stream = nullptr;
  cudaDeviceProp properties;
  cudaFuncAttributes attributes;
  const std::vector<std::pair<std::string, std::function<cudaError_t()>>> calls = {
      {"cudaMalloc", [&] { return cudaMalloc(&pointer, 4); }},
      {"cudaFree", [&] { return cudaFree(pointer); }},
      {"cudaMallocAsync", [&] { return cudaMallocAsync(&pointer, 4, nullptr); }},
      {"cudaFreeAsync", [&] { return cudaFreeAsync(pointer, nullptr); }},
      {"cudaMallocManaged", [&] { return cudaMallocManaged(&pointer, 4); }},
      {"cudaFree", [&] { return cudaFree(pointer); }},
      {"cudaMallocHost", [&] { return cudaMallocHost(&pointer, 4); }},
      {"cudaFreeHost", [&] { return cudaFreeHost(pointer); }},
      {"cudaMemcpy", [&] { return cudaMemcpy(&host, memory_, 4, cudaMemcpyDeviceToHost); }},
      {"cudaMemcpy2D",
       [&] { return cudaMemcpy2D(memory_, 4, &host, 4, 4, 1, cudaMemcpyHostToDevice); }},
      {"cudaMemcpyToSymbol", [&] { return cudaMemcpyToSymbol(device_value, &host, 4); }},
      {"cudaMemset", [&] { return cudaMemset(memory_, 0, 4); }},
      {"cudaMemset2D", [&] { return cudaMemset2D(memory_, 4, 0, 4, 1); }},
      {"cudaStreamCreate", [&] { return cudaStreamCreate(&stream); }},
      {"cudaMemsetAsync", [&] { return cudaMemsetAsync(memory_, 0, 4, stream); }},
      {"cudaStreamSynchronize", [&] { return cudaStreamSynchronize(stream); }},
      {"cudaEventCreateWithFlags", [&] { return cudaEventCreate(&event); }},
      {"cudaEventRecord", [&] { return cudaEventRecord(event, stream); }},
      {"cudaStreamWaitEvent", [&] { return cudaStreamWaitEvent(stream, event); }},
      {"cudaEventSynchronize", [&] { return cudaEventSynchronize(event); }},
      {"cudaEventDestroy", [&] { return cudaEventDestroy(event); }},
      {"cudaGraphCreate", [&] { return cudaGraphCreate(&graph, 0); }},
      {"cudaGraphAddEmptyNode", [&] { return cudaGraphAddEmptyNode(&node, graph, nullptr, 0); }},
      {"cudaGraphInstantiate", [&] { return cudaGraphInstantiate(&exec, graph, 0); }},
      {"cudaGraphLaunch", [&] { return cudaGraphLaunch(exec, stream); }},
      {"cudaGraphExecDestroy", [&] { return cudaGraphExecDestroy(exec); }},
      {"cudaGraphDestroy", [&] { return cudaGraphDestroy(graph); }},
      {"cudaStreamDestroy", [&] { return cudaStreamDestroy(stream); }},
      {"cudaDeviceSynchronize", [&] { return cudaDeviceSynchronize(); }},
      {"cudaFuncSetAttribute",
       [&] {
         return cudaFuncSetAttribute(Set, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000);
       }},
      {"cudaFuncGetAttributes", [&] { return cudaFuncGetAttributes(&attributes, Set); }},
      {"cudaOccupancyMaxActiveBlocksPerMultiprocessor",
       [&] { return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, Set, 32, 0); }},
      {"cudaGetDevice", [&] { return cudaGetDevice(&number); }},
      {"cudaGetDeviceProperties", [&] { return cudaGetDeviceProperties(&properties, 0); }},
      {"cudaDeviceGetAttribute",
       [&] { return cudaDeviceGetAttribute(&number, cudaDevAttrMultiProcessorCount, 0); }},
  };
  for (const auto& [name, call] : calls) {
    const bool gives_back =
        name.find("Free") != std::string::npos || name.find("Destroy") != std::string::npos;
    if (!gives_back) {
      simulatorFailCall(1, cudaErrorECCUncorrectable);
      EXPECT_EQ(call(), cudaErrorECCUncorrectable) << name;
      EXPECT_EQ(cudaGetLastError(), cudaErrorECCUncorrectable) << name;
      EXPECT_EQ(simulatorCallsMade(), 1u) << name;
      EXPECT_EQ(simulatorCallMadeToFail(), name);
      EXPECT_OK(cudaGetLastError()) << name;
    }
    simulatorFailCall(1, 0);
    if (!gives_back) {
      EXPECT_NE(call(), cudaSuccess) << name;
      EXPECT_NE(cudaGetLastError(), cudaSuccess) << name;
    }
    // A later call, or one that releases something, succeeds.
    EXPECT_OK(call()) << name;
    EXPECT_EQ(simulatorCallsMade(), gives_back ? 0u : 2u) << name;
  }
}

TEST_F(FailCallTest, ALaunchThatFailsDoesNotRunAndSetsTheLastError) {
  simulatorFailCall(1, 0);
  Set<<<1, 1>>>(memory_, 7);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchOutOfResources);
  EXPECT_STREQ(simulatorCallMadeToFail(), "a kernel launch");
  EXPECT_EQ(Value(), 0);
  int to = 8;
  void* arguments[] = {&memory_, &to};
  simulatorFailCall(1, 0);
  EXPECT_EQ(cudaLaunchKernel(Set, 1, 1, arguments), cudaErrorLaunchOutOfResources);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchOutOfResources);
  EXPECT_EQ(Value(), 0);
  EXPECT_OK(cudaLaunchKernel(Set, 1, 1, arguments));
  EXPECT_EQ(Value(), 8);
}

TEST_F(FailCallTest, ACopyThatFailsMovesNothing) {
  const int seven = 7;
  simulatorFailCall(1, 0);
  EXPECT_EQ(cudaMemcpy(memory_, &seven, sizeof(seven), cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(Value(), 0);
}

TEST_F(FailCallTest, NothingOfAFailureIsLeftForTheNextOne) {
  int* pointer = nullptr;
  simulatorFailCall(1, 0);
  EXPECT_NE(cudaMalloc(&pointer, 4), cudaSuccess);
  simulatorFailCall(2, 0);
  EXPECT_OK(cudaGetLastError());
  EXPECT_EQ(simulatorDeviceHasFailed(), 0);
}

TEST_F(FailCallTest, NothingFailsWhenSwitchedOff) {
  simulatorFailCall(2, 0);
  simulatorFailCall(0, 0);
  for (int i = 0; i < 4; ++i) EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(simulatorCallsMade(), 4u);
}

// Doubles *value on the device; false if a call failed.  `careful`: then releases what it made.
bool Double(int* value, bool careful) {
  int* device = nullptr;
  cudaStream_t stream = nullptr;
  if (cudaMalloc(&device, sizeof(*value)) != cudaSuccess) return false;
  bool ok = cudaStreamCreate(&stream) == cudaSuccess;
  ok = ok && cudaMemcpyAsync(device, value, sizeof(*value), cudaMemcpyHostToDevice, stream) ==
                 cudaSuccess;
  if (!ok && !careful) return false;
  if (ok) Set<<<1, 1, 0, stream>>>(device, 2 * *value);
  ok = ok && cudaGetLastError() == cudaSuccess;
  ok = ok && cudaStreamSynchronize(stream) == cudaSuccess;
  ok = ok && cudaMemcpy(value, device, sizeof(*value), cudaMemcpyDeviceToHost) == cudaSuccess;
  if (stream != nullptr) cudaStreamDestroy(stream);
  cudaFree(device);
  return ok;
}

// The number of calls of the program after whose failure something leaks.
int Leaks(bool careful) {
  int value = 1;
  simulatorFailCall(0, 0);
  EXPECT_TRUE(Double(&value, careful));
  EXPECT_EQ(value, 2);
  const std::uint64_t calls = simulatorCallsMade();
  EXPECT_EQ(calls, 6u);
  int leaks = 0;
  for (std::uint64_t n = 1; n <= calls; ++n) {
    const std::uint64_t before = simulatorLiveObjects();
    simulatorFailCall(n, 0);
    EXPECT_FALSE(Double(&value, careful)) << n;
    cudaGetLastError();
    leaks += simulatorLiveObjects() > before ? 1 : 0;
  }
  return leaks;
}

TEST_F(FailCallTest, FindsWhatAProgramForgetsToGiveBackWhenACallFails) {
  EXPECT_EQ(Leaks(true), 0);
  EXPECT_EQ(Leaks(false), 2);
}

TEST_F(FailCallTest, CountsWhatExists) {
  const std::uint64_t before = simulatorLiveObjects();
  void* memory = nullptr;
  void* pinned = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  cudaMalloc(&memory, 1);
  cudaMallocHost(&pinned, 1);
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  EXPECT_EQ(simulatorLiveObjects(), before + 4);
  cudaEventDestroy(event);
  cudaStreamDestroy(stream);
  cudaFreeHost(pinned);
  cudaFree(memory);
  EXPECT_EQ(simulatorLiveObjects(), before);
}

}  // namespace
