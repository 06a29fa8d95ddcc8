// The reference: objects that release what they hold, one program with four kernels, in-order
// commands, a blocking read at the end.

#include "labs/opencl_matmul/matmul.h"

#include <CL/cl.h>

#include <array>
#include <cstddef>

#include "common/opencl/check.h"

namespace {

constexpr const char* kSource = R"cl(
__kernel void Add(__global const float* a, __global const float* b, __global float* c, uint n) {
  const uint i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}

__kernel void Multiply(__global const float* a, __global const float* b, __global float* c, int m,
                       int k, int n) {
  const int column = get_global_id(0), row = get_global_id(1);
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

#define TILE 16

__kernel void MultiplyTiles(__global const float* a, __global const float* b, __global float* c,
                            int m, int k, int n) {
  __local float a_tile[TILE][TILE], b_tile[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int begin = 0; begin < k; begin += TILE) {
    a_tile[y][x] = row < m && begin + x < k ? a[row * k + begin + x] : 0;
    b_tile[y][x] = begin + y < k && column < n ? b[(begin + y) * n + column] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i) sum += a_tile[y][i] * b_tile[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

// Rows of b and c have `vectors` vectors of four columns.
__kernel void MultiplyVectors(__global const float* a, __global const float4* b,
                              __global float4* c, int m, int k, int vectors) {
  const int column = get_global_id(0), row = get_global_id(1);
  if (row >= m || column >= vectors) return;
  float4 sum = (float4)(0);
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * vectors + column];
  c[row * vectors + column] = sum;
}
)cl";

// Releases what it holds.
template <typename T, cl_int (*kRelease)(T)>
class Holder {
 public:
  explicit Holder(T object) : object_(object) {}
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() {
    if (object_ != nullptr) kRelease(object_);
  }
  T get() const { return object_; }

 private:
  T object_;
};

using Context = Holder<cl_context, clReleaseContext>;
using Queue = Holder<cl_command_queue, clReleaseCommandQueue>;
using Program = Holder<cl_program, clReleaseProgram>;
using Kernel = Holder<cl_kernel, clReleaseKernel>;
using Buffer = Holder<cl_mem, clReleaseMemObject>;

cl_device_id FirstDevice() {
  cl_platform_id platform = nullptr;
  OPENCL_CHECK(clGetPlatformIDs(1, &platform, nullptr));
  cl_device_id device = nullptr;
  OPENCL_CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
  return device;
}

cl_context NewContext(cl_device_id device) {
  cl_int error = CL_SUCCESS;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  OPENCL_CHECK(error);
  return context;
}

cl_command_queue NewQueue(cl_context context, cl_device_id device) {
  cl_int error = CL_SUCCESS;
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  OPENCL_CHECK(error);
  return queue;
}

cl_program NewProgram(cl_context context) {
  cl_int error = CL_SUCCESS;
  const char* source = kSource;
  const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  OPENCL_CHECK(error);
  return program;
}

cl_kernel NewKernel(cl_program program, const char* name) {
  cl_int error = CL_SUCCESS;
  const cl_kernel kernel = clCreateKernel(program, name, &error);
  OPENCL_CHECK(error);
  return kernel;
}

cl_mem NewBuffer(cl_context context, cl_mem_flags flags, std::size_t bytes) {
  cl_int error = CL_SUCCESS;
  const cl_mem buffer = clCreateBuffer(context, flags, bytes, nullptr, &error);
  OPENCL_CHECK(error);
  return buffer;
}

// A device with a queue, and one kernel of the program.
class Device {
 public:
  explicit Device(const char* kernel)
      : device_(FirstDevice()),
        context_(NewContext(device_)),
        queue_(NewQueue(context_.get(), device_)),
        program_(NewProgram(context_.get())),
        kernel_((OPENCL_CHECK(clBuildProgram(program_.get(), 1, &device_, "", nullptr, nullptr)),
                 NewKernel(program_.get(), kernel))) {}

  cl_context context() const { return context_.get(); }

  void Write(const Buffer& buffer, std::span<const float> values) {
    OPENCL_CHECK(clEnqueueWriteBuffer(queue_.get(), buffer.get(), CL_TRUE, 0, values.size_bytes(),
                                      values.data(), 0, nullptr, nullptr));
  }

  void Read(const Buffer& buffer, std::span<float> values) {
    OPENCL_CHECK(clEnqueueReadBuffer(queue_.get(), buffer.get(), CL_TRUE, 0, values.size_bytes(),
                                     values.data(), 0, nullptr, nullptr));
  }

  template <typename... T>
  void SetArguments(const T&... arguments) {
    cl_uint index = 0;
    (OPENCL_CHECK(clSetKernelArg(kernel_.get(), index++, sizeof(arguments), &arguments)), ...);
  }

  template <std::size_t kDimensions>
  void Run(const std::array<std::size_t, kDimensions>& global,
           const std::array<std::size_t, kDimensions>& local) {
    OPENCL_CHECK(clEnqueueNDRangeKernel(queue_.get(), kernel_.get(), kDimensions, nullptr,
                                        global.data(), local.data(), 0, nullptr, nullptr));
  }

 private:
  cl_device_id device_;
  Context context_;
  Queue queue_;
  Program program_;
  Kernel kernel_;
};

// The next multiple of `step`.
std::size_t RoundedUp(std::size_t n, std::size_t step) { return (n + step - 1) / step * step; }

constexpr std::size_t kTile = 16;

// `columns`: work items in a row of C.
void Multiply(const char* kernel, std::span<const float> a, std::span<const float> b,
              std::span<float> c, int m, int k, int columns) {
  Device device(kernel);
  const Buffer on_device_a(NewBuffer(device.context(), CL_MEM_READ_ONLY, a.size_bytes()));
  const Buffer on_device_b(NewBuffer(device.context(), CL_MEM_READ_ONLY, b.size_bytes()));
  const Buffer on_device_c(NewBuffer(device.context(), CL_MEM_WRITE_ONLY, c.size_bytes()));
  device.Write(on_device_a, a);
  device.Write(on_device_b, b);
  device.SetArguments(on_device_a.get(), on_device_b.get(), on_device_c.get(), m, k, columns);
  device.Run<2>({RoundedUp(columns, kTile), RoundedUp(m, kTile)}, {kTile, kTile});
  device.Read(on_device_c, c);
}

}  // namespace

void VecAdd(std::span<const float> a, std::span<const float> b, std::span<float> c) {
  if (c.empty()) return;
  Device device("Add");
  const Buffer on_device_a(NewBuffer(device.context(), CL_MEM_READ_ONLY, a.size_bytes()));
  const Buffer on_device_b(NewBuffer(device.context(), CL_MEM_READ_ONLY, b.size_bytes()));
  const Buffer on_device_c(NewBuffer(device.context(), CL_MEM_WRITE_ONLY, c.size_bytes()));
  device.Write(on_device_a, a);
  device.Write(on_device_b, b);
  device.SetArguments(on_device_a.get(), on_device_b.get(), on_device_c.get(),
                      static_cast<cl_uint>(c.size()));
  device.Run<1>({RoundedUp(c.size(), 256)}, {256});
  device.Read(on_device_c, c);
}

void MatMul(std::span<const float> a, std::span<const float> b, std::span<float> c, int m, int k,
            int n) {
  Multiply("Multiply", a, b, c, m, k, n);
}

void MatMulTiled(std::span<const float> a, std::span<const float> b, std::span<float> c, int m,
                 int k, int n) {
  Multiply("MultiplyTiles", a, b, c, m, k, n);
}

void MatMulVectors(std::span<const float> a, std::span<const float> b, std::span<float> c, int m,
                   int k, int n) {
  Multiply("MultiplyVectors", a, b, c, m, k, n / 4);
}
