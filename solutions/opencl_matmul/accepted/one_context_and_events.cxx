// Right: context and programs are made once, by the first call; commands do not block but wait for
// each other's events; ranges of fewer work items than elements, tiles of 32.

#include <CL/cl.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/opencl/check.h"
#include "labs/opencl_matmul/matmul.h"

namespace {

const char kAddText[] = R"(
kernel void add(const global float* a, const global float* b, global float* c, const ulong n) {
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) c[i] = a[i] + b[i];
}
)";

const char kProductText[] = R"(
kernel void basic(const global float* restrict a, const global float* restrict b,
                  global float* restrict c, const uint m, const uint k, const uint n) {
  const size_t row = get_group_id(1) * get_local_size(1) + get_local_id(1);
  const size_t column = get_group_id(0) * get_local_size(0) + get_local_id(0);
  if (row < m && column < n) {
    float sum = 0.0f;
    for (size_t i = 0; i < k; i++) sum = mad(a[row * k + i], b[i * n + column], sum);
    c[row * n + column] = sum;
  }
}

constant int tile = 32;

float inside(const global float* x, size_t row, size_t column, uint rows, uint columns) {
  return row < rows && column < columns ? x[row * columns + column] : 0.0f;
}

kernel __attribute__((reqd_work_group_size(32, 32, 1)))
void tiled(const global float* a, const global float* b, global float* c, const uint m,
           const uint k, const uint n) {
  local float as[32][32];
  local float bs[32][32];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const size_t row = get_global_id(1), column = get_global_id(0);
  float sum = 0.0f;
  for (uint t = 0; t < (k + tile - 1) / tile; t++) {
    as[y][x] = inside(a, row, t * tile + x, m, k);
    bs[y][x] = inside(b, t * tile + y, column, k, n);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < tile; i++) sum += as[y][i] * bs[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

kernel void vectors(const global float* a, const global float* b, global float* c, const uint m,
                    const uint k, const uint n) {
  const size_t row = get_global_id(1), column = get_global_id(0);
  if (row >= m || column >= n / 4) return;
  const global float4* b4 = (const global float4*)b;
  float4 sum = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
  for (size_t i = 0; i < k; i++) {
    const float4 four = b4[i * (n / 4) + column];
    sum.s0 += a[row * k + i] * four.s0;
    sum.s1 += a[row * k + i] * four.s1;
    sum.s2 += a[row * k + i] * four.s2;
    sum.s3 += a[row * k + i] * four.s3;
  }
  ((global float4*)c)[row * (n / 4) + column] = sum;
}
)";

struct Machine {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_program add = nullptr, product = nullptr;
};

cl_program Built(cl_context context, cl_device_id device, const char* text) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  OPENCL_CHECK(error);
  error = clBuildProgram(program, 1, &device, nullptr, nullptr, nullptr);
  if (error != CL_SUCCESS) {
    std::vector<char> log(10000);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    clReleaseProgram(program);
    throw lab::OpenClError(error, std::string(log.data()));
  }
  return program;
}

// Lives as long as the process.
const Machine& TheMachine() {
  static const Machine machine = [] {
    Machine made;
    cl_uint count = 0;
    OPENCL_CHECK(clGetPlatformIDs(0, nullptr, &count));
    std::vector<cl_platform_id> platforms(count);
    OPENCL_CHECK(clGetPlatformIDs(count, platforms.data(), nullptr));
    OPENCL_CHECK(clGetDeviceIDs(platforms[0], CL_DEVICE_TYPE_DEFAULT, 1, &made.device, nullptr));
    cl_int error;
    made.context = clCreateContext(nullptr, 1, &made.device, nullptr, nullptr, &error);
    OPENCL_CHECK(error);
    made.add = Built(made.context, made.device, kAddText);
    made.product = Built(made.context, made.device, kProductText);
    return made;
  }();
  return machine;
}

// What one call makes; releases it.
struct Call {
  cl_command_queue queue = nullptr;
  cl_kernel kernel = nullptr;
  std::vector<cl_mem> buffers;
  std::vector<cl_event> events;

  Call(cl_program program, const char* name) try {
    const Machine& machine = TheMachine();
    cl_int error;
    queue = clCreateCommandQueueWithProperties(machine.context, machine.device, nullptr, &error);
    OPENCL_CHECK(error);
    kernel = clCreateKernel(program, name, &error);
    OPENCL_CHECK(error);
  } catch (...) {
    Release();
    throw;
  }
  Call(const Call&) = delete;
  ~Call() { Release(); }

  void Release() {
    for (cl_event event : events) clReleaseEvent(event);
    for (cl_mem buffer : buffers) clReleaseMemObject(buffer);
    if (kernel) clReleaseKernel(kernel);
    if (queue) clReleaseCommandQueue(queue);
  }

  void AddBuffer(cl_mem_flags flags, std::size_t bytes) {
    cl_int error;
    cl_mem buffer = clCreateBuffer(TheMachine().context, flags, bytes, nullptr, &error);
    OPENCL_CHECK(error);
    buffers.push_back(buffer);
    Set(static_cast<cl_uint>(buffers.size() - 1), buffer);
  }

  template <class T>
  void Set(cl_uint index, T value) {
    OPENCL_CHECK(clSetKernelArg(kernel, index, sizeof(T), &value));
  }

  void Compute(std::span<const float> a, std::span<const float> b, std::span<float> c, cl_uint rank,
               const std::size_t* global, const std::size_t* local) {
    cl_event event;
    for (auto [buffer, values] : {std::pair(buffers[0], a), std::pair(buffers[1], b)}) {
      OPENCL_CHECK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, values.size_bytes(),
                                        values.data(), 0, nullptr, &event));
      events.push_back(event);
    }
    OPENCL_CHECK(clEnqueueNDRangeKernel(queue, kernel, rank, nullptr, global, local, 2,
                                        events.data(), &event));
    events.push_back(event);
    OPENCL_CHECK(clEnqueueReadBuffer(queue, buffers[2], CL_FALSE, 0, c.size_bytes(), c.data(), 1,
                                     &events[2], &event));
    events.push_back(event);
    OPENCL_CHECK(clWaitForEvents(1, &event));
  }
};

void Multiply(const char* name, std::span<const float> a, std::span<const float> b,
              std::span<float> c, int m, int k, int n, int columns) {
  Call call(TheMachine().product, name);
  call.AddBuffer(CL_MEM_READ_ONLY, a.size_bytes());
  call.AddBuffer(CL_MEM_READ_ONLY, b.size_bytes());
  call.AddBuffer(CL_MEM_READ_WRITE, c.size_bytes());
  call.Set(3, static_cast<cl_uint>(m));
  call.Set(4, static_cast<cl_uint>(k));
  call.Set(5, static_cast<cl_uint>(n));
  const std::size_t local[] = {32, name == std::string("tiled") ? 32u : 8u};
  const std::size_t global[] = {(columns + local[0] - 1) / local[0] * local[0],
                                (m + local[1] - 1) / local[1] * local[1]};
  call.Compute(a, b, c, 2, global, local);
}

}  // namespace

void VecAdd(std::span<const float> a, std::span<const float> b, std::span<float> c) {
  if (c.size() == 0) return;
  Call call(TheMachine().add, "add");
  call.AddBuffer(CL_MEM_READ_ONLY, a.size_bytes());
  call.AddBuffer(CL_MEM_READ_ONLY, b.size_bytes());
  call.AddBuffer(CL_MEM_READ_WRITE, c.size_bytes());
  call.Set(3, static_cast<cl_ulong>(c.size()));
  const std::size_t local = 128;
  const std::size_t global = std::min<std::size_t>((c.size() + 127) / 128, 512) * local;
  call.Compute(a, b, c, 1, &global, &local);
}

void MatMul(std::span<const float> a, std::span<const float> b, std::span<float> c, int m, int k,
            int n) {
  Multiply("basic", a, b, c, m, k, n, n);
}

void MatMulTiled(std::span<const float> a, std::span<const float> b, std::span<float> c, int m,
                 int k, int n) {
  Multiply("tiled", a, b, c, m, k, n, n);
}

void MatMulVectors(std::span<const float> a, std::span<const float> b, std::span<float> c, int m,
                   int k, int n) {
  Multiply("vectors", a, b, c, m, k, n, n / 4);
}
