// What the instrumented library that is being built does with an access.  Each defines
//
//   void OnAccess(const Access& access)      one scalar or vector, at most 16 bytes; may not return
//   void OnRange(char*, size_t, Operation, const void* pc)    any number of bytes, of memcpy
//   void OnStruct(char*, size_t, Operation, const void* pc)   a struct that is no vector
//   void OnAtomic(const Access& access, AtomicKind kind)      before the update happens
//   void OnTexture(const char*, size_t bytes, const void* pc)  an element that a fetch reads
//   void OnResultUnused()                    of the thread's last atomic operation
//   Polls& RunningPolls()                    of the running thread of a kernel
//   void LetOthersRun(Polls&, const Access&) see polling.h
//   void OnFunctionEntry(const void* return_address), OnFunctionExit()
//   void OnBasicBlock(const void* pc)        objects built with PROFILE_COPTS only
#pragma once

#ifdef CUDASIM_PROFILE
#include "common/cudasim/profile/on_access.h"
#else
#include "common/cudasim/check/on_access.h"
#endif
