// OpenCL's objects, each behind the handle that programs have of it.
#pragma once

#include <CL/cl.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/include/cudasim/opencl_programs.h"

namespace cudasim::opencl {

// While one lives, its address is a valid handle of its type.  Thread-safe.
class Object {
 public:
  Object();
  virtual ~Object();
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
};

// Whether the address is that of an object that lives.
bool IsLive(const void* handle);

template <class T>
bool IsValid(T* handle) {
  return IsLive(handle) && dynamic_cast<T*>(static_cast<Object*>(handle)) != nullptr;
}

// The CL_ error for an error of CUDA's, which is forgotten unless it is sticky.
cl_int ErrorOf(cudaError_t error, cl_int usual = CL_OUT_OF_RESOURCES);

// Whether the tests make this call fail: failure injection, see cudasim/fail_call.h.
bool MustFail(const char* call);

// Sets *error, which may be null; returns null.
template <class T>
T* Fail(cl_int* error, cl_int code) {
  if (error != nullptr) *error = code;
  return nullptr;
}

template <class T>
T* Made(cl_int* error, T* object) {
  if (error != nullptr) *error = CL_SUCCESS;
  return object;
}

// Answers a clGet...Info(): copies the value if there is room.
cl_int Answer(const void* answer, size_t answer_bytes, size_t bytes, void* value, size_t* needed);

template <class T>
cl_int Answer(const T& answer, size_t bytes, void* value, size_t* needed) {
  return Answer(&answer, sizeof(answer), bytes, value, needed);
}

inline cl_int Answer(const std::string& answer, size_t bytes, void* value, size_t* needed) {
  return Answer(answer.c_str(), answer.size() + 1, bytes, value, needed);
}

// Of a buffer; freed when the handle and all commands that use it are gone.
struct DeviceMemory {
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { cudaFree(data); }

  char* data = nullptr;
  size_t bytes = 0;
};

// Commands that have not run.
struct Queue {
  Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue();

  // Runs all commands, in order, and waits for them.  After an error the rest is dropped.
  cudaError_t Run();

  cudaStream_t stream = nullptr;
  std::vector<std::function<cudaError_t()>> commands;
};

}  // namespace cudasim::opencl

struct _cl_platform_id : cudasim::opencl::Object {};
struct _cl_device_id : cudasim::opencl::Object {};
struct _cl_context : cudasim::opencl::Object {};

struct _cl_command_queue : cudasim::opencl::Object {
  std::shared_ptr<cudasim::opencl::Queue> queue;
};

struct _cl_event : cudasim::opencl::Object {
  std::shared_ptr<cudasim::opencl::Queue> queue;
};

struct _cl_mem : cudasim::opencl::Object {
  std::shared_ptr<cudasim::opencl::DeviceMemory> memory;
};

struct _cl_program : cudasim::opencl::Object {
  const opencl_c::Program* found = nullptr;  // null: no text of the file
  bool is_built = false;
  std::string log;
};

struct _cl_kernel : cudasim::opencl::Object {
  struct Argument {
    bool is_set = false;
    std::vector<char> bytes;                                // what the kernel gets
    std::shared_ptr<cudasim::opencl::DeviceMemory> memory;  // of a buffer
    size_t local_bytes = 0;
  };

  const opencl_c::Kernel* kernel = nullptr;
  std::vector<Argument> arguments;
};

namespace cudasim::opencl {

// The machine has one device, of one platform.
_cl_platform_id* Platform();
_cl_device_id* Device();

}  // namespace cudasim::opencl
