// OpenCL's host API and OpenCL C.
#include <CL/cl.h>

#include <string>
#include <utility>
#include <vector>

#include "common/cudasim/include/cudasim/fail_call.h"
#include "common/cudasim/tests/features/test.h"

namespace {

constexpr const char* kText = R"cl(
// "kernel" in a comment /* is none. */
#define WIDTH 4
#define TWICE (2 * WIDTH)
constant float kWeights[WIDTH] = {1, 2, 3, 4};

float Weighted(__global const float* x, int i) { return x[i] * kWeights[i % WIDTH]; }

__kernel void Weigh(__global const float* restrict x, __global float* y, const uint n) {
  const size_t i = get_global_id(0);
  if (i < n) y[i] = Weighted(x, i);
}

kernel void Reverse(global float* x, local float* copy, local int* places) {
  const int i = get_local_id(0), last = get_local_size(0) - 1;
  copy[i] = x[get_global_id(0)];
  places[i] = last - i;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = copy[places[i]];
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void Vectors(__global float4* v,
                                                                     __global int* sums) {
  __local float4 shared;
  float4 x = (float4)(1, 2, 3, 4) + v[0] * 2.0f;
  x.s3 = dot(x, (float4)(1));
  shared = x;
  v[0] = shared;
  v[1] = (float4)((float2)(5, 6), (float2)(x.x, x.y));
  vstore4(mad(v[1], v[1], (float4)(1)), 2, (__global float*)v);
  const int4 all = {TWICE, 2, 3, 4};
  atomic_add(sums, all.x + all.w);
}

__kernel void Where(__global int* out) {
  const int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[i] = get_group_id(0) * 1000 + get_group_id(1) * 100 + get_num_groups(0) * 10 +
           get_local_id(1);
}
)cl";

// A queue, and a program that is built.
class OpenClTest : public testing::Test {
 protected:
  OpenClTest() {
    cl_platform_id platform = nullptr;
    EXPECT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
    EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device_, nullptr), CL_SUCCESS);
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
    queue_ = clCreateCommandQueue(context_, device_, 0, nullptr);
    const char* text = kText;
    program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
    EXPECT_EQ(clBuildProgram(program_, 1, &device_, nullptr, nullptr, nullptr), CL_SUCCESS);
  }
  ~OpenClTest() override {
    clReleaseProgram(program_);
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }

  template <class T>
  cl_mem Buffer(std::vector<T> values) {
    return clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                          values.size() * sizeof(T), values.data(), nullptr);
  }

  template <class T>
  std::vector<T> ValuesOf(cl_mem buffer, std::size_t count) {
    std::vector<T> values(count);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, count * sizeof(T), values.data(), 0,
                                  nullptr, nullptr),
              CL_SUCCESS);
    return values;
  }

  cl_kernel Kernel(const char* name) { return clCreateKernel(program_, name, nullptr); }

  cl_int Run(cl_kernel kernel, std::vector<size_t> global, std::vector<size_t> local) {
    return clEnqueueNDRangeKernel(queue_, kernel, static_cast<cl_uint>(global.size()), nullptr,
                                  global.data(), local.data(), 0, nullptr, nullptr);
  }

  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
};

TEST_F(OpenClTest, RunsAKernelWithAHelperAConstantAndMacros) {
  cl_mem x = Buffer<float>({1, 1, 1, 1, 2, 2});
  cl_mem y = Buffer<float>(std::vector<float>(6));
  cl_kernel kernel = Kernel("Weigh");
  const cl_uint n = 5;
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(x), &x), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof(y), &y), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 2, sizeof(n), &n), CL_SUCCESS);
  EXPECT_EQ(Run(kernel, {8}, {4}), CL_SUCCESS);
  EXPECT_EQ(ValuesOf<float>(y, 6), (std::vector<float>{1, 2, 3, 4, 2, 0}));
  for (cl_mem buffer : {x, y}) clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
}

TEST_F(OpenClTest, GivesAGroupTheLocalMemoryOfItsArguments) {
  cl_mem x = Buffer<float>({1, 2, 3, 4, 5, 6});
  cl_kernel kernel = Kernel("Reverse");
  clSetKernelArg(kernel, 0, sizeof(x), &x);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 3 * sizeof(float), nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 2, 3 * sizeof(int), nullptr), CL_SUCCESS);
  EXPECT_EQ(Run(kernel, {6}, {3}), CL_SUCCESS);
  EXPECT_EQ(ValuesOf<float>(x, 6), (std::vector<float>{3, 2, 1, 6, 5, 4}));
  clReleaseMemObject(x);
  clReleaseKernel(kernel);
}

TEST_F(OpenClTest, ComputesWithVectors) {
  cl_mem v = Buffer<float>(std::vector<float>(12, 1));
  cl_mem sums = Buffer<int>({0});
  cl_kernel kernel = Kernel("Vectors");
  clSetKernelArg(kernel, 0, sizeof(v), &v);
  clSetKernelArg(kernel, 1, sizeof(sums), &sums);
  EXPECT_EQ(Run(kernel, {1}, {1}), CL_SUCCESS);
  EXPECT_EQ(ValuesOf<float>(v, 12), (std::vector<float>{3, 4, 5, 18, 5, 6, 3, 4, 26, 37, 10, 17}));
  EXPECT_EQ(ValuesOf<int>(sums, 1), std::vector<int>{12});
  for (cl_mem buffer : {v, sums}) clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
}

TEST_F(OpenClTest, NumbersGroupsAndItemsInTwoDimensions) {
  cl_mem out = Buffer<int>(std::vector<int>(8));
  cl_kernel kernel = Kernel("Where");
  clSetKernelArg(kernel, 0, sizeof(out), &out);
  EXPECT_EQ(Run(kernel, {4, 2}, {2, 2}), CL_SUCCESS);
  EXPECT_EQ(ValuesOf<int>(out, 8), (std::vector<int>{20, 20, 1020, 1020, 21, 21, 1021, 1021}));
  clReleaseMemObject(out);
  clReleaseKernel(kernel);
}

TEST_F(OpenClTest, RefusesWhatTheSpecificationRefuses) {
  cl_mem x = Buffer<float>({1});
  cl_kernel kernel = Kernel("Weigh");
  const size_t wide = 1;
  EXPECT_EQ(clSetKernelArg(kernel, 2, sizeof(wide), &wide), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 3, sizeof(x), &x), CL_INVALID_ARG_INDEX);
  void* other = &x;
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(other), &other), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(Run(kernel, {8}, {4}), CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(Run(kernel, {8}, {3}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(Run(kernel, {64, 64}, {64, 64}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(Run(kernel, {0}, {1}), CL_INVALID_GLOBAL_WORK_SIZE);
  float value = 0;
  EXPECT_EQ(clEnqueueReadBuffer(queue_, x, CL_TRUE, 2, 4, &value, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  const char three[3] = {};
  EXPECT_EQ(clEnqueueFillBuffer(queue_, x, three, 3, 0, 3, 0, nullptr, nullptr), CL_INVALID_VALUE);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateKernel(program_, "weigh", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_KERNEL_NAME);
  EXPECT_EQ(clCreateBuffer(context_, CL_MEM_READ_ONLY, 0, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
  clReleaseMemObject(x);
  EXPECT_EQ(clReleaseMemObject(x), CL_INVALID_MEM_OBJECT);
  clReleaseKernel(kernel);
}

TEST_F(OpenClTest, BuildsNoTextThatIsNotInTheFile) {
  const std::string made = std::string("__kernel void Made() {") + "}";
  const char* text = made.c_str();
  cl_program program = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
  EXPECT_EQ(clBuildProgram(program, 1, &device_, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  std::string log(200, '\0');
  size_t needed = 0;
  clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), &needed);
  EXPECT_EQ(log.find("error: the text is no raw string literal"), 0u);
  EXPECT_EQ(clCreateKernel(program, "Made", nullptr), nullptr);
  clReleaseProgram(program);
}

TEST_F(OpenClTest, MakesTheHostWaitForWhatItReads) {
  cl_mem x = Buffer<int>({7});
  int early = 0;
  cl_event event = nullptr;
  clEnqueueReadBuffer(queue_, x, CL_FALSE, 0, sizeof(early), &early, 0, nullptr, &event);
  clFlush(queue_);
  EXPECT_EQ(early, 0);
  EXPECT_EQ(clReleaseMemObject(x), CL_SUCCESS);  // the command still has it
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_EQ(early, 7);
  clReleaseEvent(event);
}

TEST_F(OpenClTest, WaitsForEventsOfAnotherQueue) {
  cl_command_queue other = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
  cl_mem x = Buffer<int>({0, 0}), y = Buffer<int>({0, 0});
  const int one = 1;
  cl_event filled = nullptr;
  clEnqueueFillBuffer(other, x, &one, sizeof(one), 0, 2 * sizeof(one), 0, nullptr, &filled);
  clEnqueueCopyBuffer(queue_, x, y, 0, sizeof(int), sizeof(int), 1, &filled, nullptr);
  EXPECT_EQ(ValuesOf<int>(y, 2), (std::vector<int>{0, 1}));
  clReleaseEvent(filled);
  for (cl_mem buffer : {x, y}) clReleaseMemObject(buffer);
  clReleaseCommandQueue(other);
}

TEST_F(OpenClTest, CountsPlatformsAndDevicesWithoutGivingThem) {
  cl_uint platforms = 0, devices = 0;
  EXPECT_EQ(clGetPlatformIDs(1, nullptr, &platforms), CL_SUCCESS);
  cl_platform_id platform = nullptr;
  clGetPlatformIDs(1, &platform, nullptr);
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, nullptr, &devices), CL_SUCCESS);
  EXPECT_EQ(std::pair(platforms, devices), std::pair(1u, 1u));
  EXPECT_EQ(clGetPlatformIDs(0, &platform, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPlatformIDs(1, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(OpenClTest, MakesNoEventForABlockingCommandThatFails) {
  cl_mem x = Buffer<int>({7});
  int value = 0;
  cl_event event = nullptr;
  simulatorFailCall(2, 0);  // the second call is the wait
  EXPECT_NE(clEnqueueReadBuffer(queue_, x, CL_TRUE, 0, sizeof(value), &value, 0, nullptr, &event),
            CL_SUCCESS);
  simulatorFailCall(0, 0);
  EXPECT_EQ(event, nullptr);
  clReleaseMemObject(x);
}

TEST_F(OpenClTest, FailsWhereATestMakesItFail) {
  simulatorFailCall(1, 0);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateBuffer(context_, CL_MEM_READ_ONLY, 4, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  EXPECT_EQ(simulatorCallMadeToFail(), std::string("clCreateBuffer"));
  simulatorFailCall(0, 0);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

}  // namespace
