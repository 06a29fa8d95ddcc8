// What a program makes by one call of the API and ends by another; memory is in heap.h.
#pragma once

namespace cudasim {

enum class HandleKind { kStream, kEvent, kTextureObject, kMemoryPool, kRegisteredMemory };

// Check mode warns at the end of the program of what was never ended.  Empty elsewhere.
// Thread-safe.
#ifdef CUDASIM_CHECK
void OnMade(HandleKind kind, const void* handle, const void* caller);
void OnEnded(HandleKind kind, const void* handle);
void OnAllEnded();
#else
inline void OnMade(HandleKind, const void*, const void*) {}
inline void OnEnded(HandleKind, const void*) {}
inline void OnAllEnded() {}
#endif

}  // namespace cudasim
