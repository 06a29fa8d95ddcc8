// Check mode sees memory accesses through the compiler's instrumentation, which leaves calls of
// memcpy, memmove and memset alone.  Giving them another link name, before any standard header
// declares them, sends the calls of this translation unit to the simulator.
#pragma once

#ifndef CUDASIM_INCLUDED_BY_CUDA_RUNTIME_H
#error "this header is private to the simulator: include <cuda_runtime.h>"
#endif

#ifdef CUDASIM_CHECK
extern "C" {
void* memcpy(void*, const void*, unsigned long) noexcept __asm__("cudasim_memcpy");
void* memmove(void*, const void*, unsigned long) noexcept __asm__("cudasim_memmove");
void* memset(void*, int, unsigned long) noexcept __asm__("cudasim_memset");
}
#endif
