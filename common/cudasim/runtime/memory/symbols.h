// __device__, __managed__ and __constant__ variables: where the linker puts those of the program or
// shared object that has some.
#pragma once

#include <cstddef>

namespace cudasim {

enum class VariableKind { kDevice, kManaged, kConstant };

struct VariableRange {
  const char* begin;  // a multiple of 16
  std::size_t bytes;
};

// All variables of that kind.
VariableRange DeviceVariables();
VariableRange ManagedVariables();
VariableRange ConstantVariables();

// True if [pointer, pointer + bytes) lies among the variables of that kind.
bool IsDeviceVariable(const void* pointer, std::size_t bytes);
bool IsManagedVariable(const void* pointer, std::size_t bytes);
bool IsConstantVariable(const void* pointer, std::size_t bytes);
// The host may use the addresses of the __device__ and __constant__ variables in this range: it has
// asked for them, or a kernel has stored them.  Thread-safe.
void TellSymbolAddress(const void* begin, std::size_t bytes);

// True if the pointer can only come from the name of a variable that is not __managed__: on a GPU
// that is the address of the host's copy of it.
bool IsHostsNameOfSymbol(const void* pointer);

// Of any kind.
bool IsSymbol(const void* pointer, std::size_t bytes);

}  // namespace cudasim

extern "C" {
// Where a program or shared object has its variables; called before any of its code runs. The one
// that has variables of a kind is told once, so that none can claim other memory.
void cudasim_tell_variables(cudasim::VariableKind kind, const char* begin, const char* end);
}
