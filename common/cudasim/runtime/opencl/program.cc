// Programs and kernels.
#include <map>
#include <mutex>
#include <string>

#include "common/cudasim/include/cudasim/hardware.h"
#include "common/cudasim/runtime/opencl/objects.h"

using cudasim::opencl::Answer;
using cudasim::opencl::Fail;
using cudasim::opencl::IsValid;
using cudasim::opencl::Made;
using cudasim::opencl::MustFail;

namespace {

// The programs in the texts of all files, by their hashes.
struct Programs {
  std::mutex mutex;
  std::map<std::uint64_t, const opencl_c::Program*> by_hash;

  // Never destroyed: files register before any code of the program runs.
  static Programs& Get() {
    static auto* const programs = new Programs;
    return *programs;
  }
};

const opencl_c::Program* Find(std::uint64_t hash) {
  Programs& programs = Programs::Get();
  const std::lock_guard lock(programs.mutex);
  const auto found = programs.by_hash.find(hash);
  return found == programs.by_hash.end() ? nullptr : found->second;
}

constexpr char kUnknownText[] =
    "error: the text is no raw string literal with a kernel of this file\n"
    "  next: write const char* text = R\"cl(...)cl\"; and pass all of it, unchanged\n";

// Options that define something would change the text, which has been compiled.
bool AreKnown(const char* options) {
  return options == nullptr ||
         (std::strstr(options, "-D") == nullptr && std::strstr(options, "-I") == nullptr);
}

cl_int SetBuffer(_cl_kernel::Argument& argument, size_t bytes, const void* value) {
  if (bytes != sizeof(cl_mem)) return CL_INVALID_ARG_SIZE;
  cl_mem buffer = nullptr;
  if (value != nullptr) std::memcpy(&buffer, value, sizeof(buffer));
  if (buffer != nullptr && !IsValid(buffer)) return CL_INVALID_MEM_OBJECT;
  argument.memory = buffer == nullptr ? nullptr : buffer->memory;
  const char* const data = argument.memory == nullptr ? nullptr : argument.memory->data;
  argument.bytes.resize(sizeof(data));
  std::memcpy(argument.bytes.data(), &data, sizeof(data));
  return CL_SUCCESS;
}

cl_int SetLocal(_cl_kernel::Argument& argument, size_t bytes, const void* value) {
  if (value != nullptr) return CL_INVALID_ARG_VALUE;
  if (bytes == 0) return CL_INVALID_ARG_SIZE;
  argument.local_bytes = bytes;
  argument.bytes.resize(sizeof(size_t));  // of its offset, which the launch knows
  return CL_SUCCESS;
}

cl_int SetValue(_cl_kernel::Argument& argument, size_t expected, size_t bytes, const void* value) {
  if (value == nullptr) return CL_INVALID_ARG_VALUE;
  if (bytes != expected) return CL_INVALID_ARG_SIZE;
  const auto* const begin = static_cast<const char*>(value);
  argument.bytes.assign(begin, begin + bytes);
  return CL_SUCCESS;
}

}  // namespace

extern "C" {

void cudasimRegisterProgram(const opencl_c::Program* program) {
  Programs& programs = Programs::Get();
  const std::lock_guard lock(programs.mutex);
  programs.by_hash[program->hash] = program;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings,
                                     const size_t* lengths, cl_int* error) {
  if (MustFail(__func__)) return Fail<_cl_program>(error, CL_OUT_OF_HOST_MEMORY);
  if (!IsValid(context)) return Fail<_cl_program>(error, CL_INVALID_CONTEXT);
  if (count == 0 || strings == nullptr) return Fail<_cl_program>(error, CL_INVALID_VALUE);
  opencl_c::TextHash hash;
  for (cl_uint i = 0; i < count; ++i) {
    if (strings[i] == nullptr) return Fail<_cl_program>(error, CL_INVALID_VALUE);
    const bool ends_with_zero = lengths == nullptr || lengths[i] == 0;
    hash.Add(strings[i], ends_with_zero ? std::strlen(strings[i]) : lengths[i]);
  }
  auto* const program = new _cl_program;
  program->found = Find(hash.value());
  return Made(error, program);
}

cl_int clBuildProgram(cl_program program, cl_uint, const cl_device_id*, const char* options,
                      void (*notify)(cl_program, void*), void* data) {
  if (MustFail(__func__)) return CL_OUT_OF_HOST_MEMORY;
  if (!IsValid(program)) return CL_INVALID_PROGRAM;
  if (!AreKnown(options)) {
    program->log = std::string("error: options that define or include: ") + options +
                   "\n  next: write a #define into the text\n";
    return CL_INVALID_BUILD_OPTIONS;
  }
  program->is_built = program->found != nullptr;
  if (!program->is_built) program->log = kUnknownText;
  if (notify != nullptr) notify(program, data);
  return program->is_built ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what,
                             size_t bytes, void* value, size_t* needed) {
  if (MustFail(__func__)) return CL_OUT_OF_HOST_MEMORY;
  if (!IsValid(program)) return CL_INVALID_PROGRAM;
  if (!IsValid(device)) return CL_INVALID_DEVICE;
  if (what != CL_PROGRAM_BUILD_LOG) return CL_INVALID_VALUE;
  return Answer(program->log, bytes, value, needed);
}

cl_int clReleaseProgram(cl_program program) {
  if (!IsValid(program)) return CL_INVALID_PROGRAM;
  delete program;
  return CL_SUCCESS;
}

cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* error) {
  if (MustFail(__func__)) return Fail<_cl_kernel>(error, CL_OUT_OF_HOST_MEMORY);
  if (!IsValid(program)) return Fail<_cl_kernel>(error, CL_INVALID_PROGRAM);
  if (!program->is_built) return Fail<_cl_kernel>(error, CL_INVALID_PROGRAM_EXECUTABLE);
  if (name == nullptr) return Fail<_cl_kernel>(error, CL_INVALID_VALUE);
  for (size_t i = 0; i < program->found->kernel_count; ++i) {
    const opencl_c::Kernel& kernel = program->found->kernels[i];
    if (std::strcmp(kernel.name, name) != 0) continue;
    auto* const made = new _cl_kernel;
    made->kernel = &kernel;
    made->arguments.resize(kernel.parameter_count);
    return Made(error, made);
  }
  return Fail<_cl_kernel>(error, CL_INVALID_KERNEL_NAME);
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes, const void* value) {
  if (MustFail(__func__)) return CL_OUT_OF_HOST_MEMORY;
  if (!IsValid(kernel)) return CL_INVALID_KERNEL;
  if (index >= kernel->arguments.size()) return CL_INVALID_ARG_INDEX;
  _cl_kernel::Argument& argument = kernel->arguments[index];
  const opencl_c::Parameter& parameter = kernel->kernel->parameters[index];
  const cl_int error = parameter.kind == opencl_c::ParameterKind::kBuffer
                           ? SetBuffer(argument, bytes, value)
                       : parameter.kind == opencl_c::ParameterKind::kLocal
                           ? SetLocal(argument, bytes, value)
                           : SetValue(argument, parameter.bytes, bytes, value);
  if (error == CL_SUCCESS) argument.is_set = true;
  return error;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id, cl_kernel_work_group_info what,
                                size_t bytes, void* value, size_t* needed) {
  if (MustFail(__func__)) return CL_OUT_OF_HOST_MEMORY;
  if (!IsValid(kernel)) return CL_INVALID_KERNEL;
  switch (what) {
    case CL_KERNEL_WORK_GROUP_SIZE:
      return Answer(size_t{cudasim::kMaxThreads}, bytes, value, needed);
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
      return Answer(size_t{32}, bytes, value, needed);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clReleaseKernel(cl_kernel kernel) {
  if (!IsValid(kernel)) return CL_INVALID_KERNEL;
  delete kernel;
  return CL_SUCCESS;
}

}  // extern "C"
