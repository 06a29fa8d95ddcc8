#pragma once

// OPENCL_CHECK(code): every error code of OpenCL is checked.
//
//   OPENCL_CHECK(clFinish(queue));
//   cl_int error;
//   cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, nullptr, &error);
//   OPENCL_CHECK(error);

#include <CL/cl.h>

#include <stdexcept>
#include <string>

// Evaluates `code` once; throws lab::OpenClError unless it is CL_SUCCESS.
#define OPENCL_CHECK(code) \
  ::lab::CheckOpenCl((code), __FILE__ ":" LAB_LITERAL(__LINE__) ": " #code ": ")
#define LAB_LITERAL(macro) LAB_LITERAL_OF(macro)
#define LAB_LITERAL_OF(text) #text

namespace lab {

// An OpenCL call failed. what() is `error: OpenCL call failed: <file>:<line>: <call>: <name>`.
class OpenClError : public std::runtime_error {
 public:
  OpenClError(cl_int code, const std::string& what) : std::runtime_error(what), code_(code) {}
  cl_int code() const { return code_; }

 private:
  cl_int code_;
};

// The name of a common error code, or "CL error" for another one.
inline const char* OpenClErrorName(cl_int code) {
#define LAB_NAME(name) \
  case name:           \
    return #name
  switch (code) {
    LAB_NAME(CL_DEVICE_NOT_FOUND);
    LAB_NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    LAB_NAME(CL_MEM_COPY_OVERLAP);
    LAB_NAME(CL_OUT_OF_RESOURCES);
    LAB_NAME(CL_OUT_OF_HOST_MEMORY);
    LAB_NAME(CL_BUILD_PROGRAM_FAILURE);
    LAB_NAME(CL_INVALID_VALUE);
    LAB_NAME(CL_INVALID_PLATFORM);
    LAB_NAME(CL_INVALID_DEVICE);
    LAB_NAME(CL_INVALID_CONTEXT);
    LAB_NAME(CL_INVALID_QUEUE_PROPERTIES);
    LAB_NAME(CL_INVALID_COMMAND_QUEUE);
    LAB_NAME(CL_INVALID_HOST_PTR);
    LAB_NAME(CL_INVALID_MEM_OBJECT);
    LAB_NAME(CL_INVALID_BUILD_OPTIONS);
    LAB_NAME(CL_INVALID_PROGRAM);
    LAB_NAME(CL_INVALID_PROGRAM_EXECUTABLE);
    LAB_NAME(CL_INVALID_KERNEL_NAME);
    LAB_NAME(CL_INVALID_KERNEL);
    LAB_NAME(CL_INVALID_ARG_INDEX);
    LAB_NAME(CL_INVALID_ARG_VALUE);
    LAB_NAME(CL_INVALID_ARG_SIZE);
    LAB_NAME(CL_INVALID_KERNEL_ARGS);
    LAB_NAME(CL_INVALID_WORK_DIMENSION);
    LAB_NAME(CL_INVALID_WORK_GROUP_SIZE);
    LAB_NAME(CL_INVALID_WORK_ITEM_SIZE);
    LAB_NAME(CL_INVALID_GLOBAL_OFFSET);
    LAB_NAME(CL_INVALID_EVENT_WAIT_LIST);
    LAB_NAME(CL_INVALID_EVENT);
    LAB_NAME(CL_INVALID_BUFFER_SIZE);
    LAB_NAME(CL_INVALID_GLOBAL_WORK_SIZE);
    default:
      return "CL error";
  }
#undef LAB_NAME
}

inline void CheckOpenCl(cl_int code, const char* place) {
  if (code == CL_SUCCESS) return;
  throw OpenClError(code, std::string("error: OpenCL call failed: ") + place +
                              OpenClErrorName(code) + " (" + std::to_string(code) + ")");
}

}  // namespace lab
