// What every program or shared object with code for the simulator has of its own, also where the
// rest of the simulator lies in the program that loads it.
#include <cstddef>

#include "common/cudasim/runtime/memory/symbols.h"
#include "common/cudasim/runtime/scheduler/kernel_heap.h"

#define CUDASIM_SECTION(section, kind)                                                     \
  extern "C" char __start_cudasim_##section[] __attribute__((weak, visibility("hidden"))); \
  extern "C" char __stop_cudasim_##section[] __attribute__((weak, visibility("hidden")));  \
  __attribute__((constructor(101))) static void Tell##kind() {                             \
    cudasim_tell_variables(cudasim::VariableKind::k##kind, __start_cudasim_##section,      \
                           __stop_cudasim_##section);                                      \
  }

CUDASIM_SECTION(device, Device)
CUDASIM_SECTION(managed, Managed)
CUDASIM_SECTION(constant, Constant)

#define CUDASIM_CALLER __builtin_return_address(0)

// Here these replace the C++ library's operators, with which they share the C library's heap.
// Hidden, so that a program that loads the shared object keeps its own operators; by the assembler,
// as the compiler ignores the attribute on functions that it declares itself.
__asm__(".hidden _Znwm, _Znam, _ZdlPv, _ZdaPv, _ZdlPvm, _ZdaPvm");

void* operator new(std::size_t bytes) { return cudasim_new(bytes, CUDASIM_CALLER); }
void* operator new[](std::size_t bytes) { return cudasim_new(bytes, CUDASIM_CALLER); }
void operator delete(void* pointer) noexcept { cudasim_delete(pointer, CUDASIM_CALLER); }
void operator delete[](void* pointer) noexcept { cudasim_delete(pointer, CUDASIM_CALLER); }
void operator delete(void* pointer, std::size_t) noexcept {
  cudasim_delete(pointer, CUDASIM_CALLER);
}
void operator delete[](void* pointer, std::size_t) noexcept {
  cudasim_delete(pointer, CUDASIM_CALLER);
}
