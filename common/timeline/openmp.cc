// What OpenMP's runtime tells its tools (OMPT: OpenMP specification 5.0, chapter 4), and the bounds
// of chunks, which it does not tell. Compiled with clang, whose runtime has the interface, beside a
// lab's file; linked with the names in recorded.bzl wrapped.

#include <omp-tools.h>

#include <cstdint>

#include "common/timeline/recorder.h"

namespace {

using lab::timeline::Kind;
using lab::timeline::Place;
using lab::timeline::PlaceOf;
using lab::timeline::Registered;
using lab::timeline::ThreadRecord;

std::uint64_t Value(const ompt_data_t* data) { return data == nullptr ? 0 : data->value; }

// The line itself, or that of the parallel region.
Place PlaceIn(const void* line, const ompt_data_t* region) {
  return PlaceOf(line != nullptr || region == nullptr ? line : region->ptr);
}

void BeginParallel(ompt_data_t*, const ompt_frame_t*, ompt_data_t* region, unsigned, int,
                   const void* line) {
  region->ptr = const_cast<void*>(line);
  if (ThreadRecord* const thread = Registered()) {
    thread->Begin(Kind::kParallel, Value(region), 0, PlaceOf(line));
  }
}

void EndParallel(ompt_data_t*, ompt_data_t*, int, const void*) {
  if (ThreadRecord* const thread = Registered()) thread->EndKind(Kind::kParallel);
}

void ShareOfRegion(ompt_scope_endpoint_t end, ompt_data_t* region, ompt_data_t*, unsigned,
                   unsigned index, int flags) {
  ThreadRecord* const thread = Registered();
  if (thread == nullptr || (flags & ompt_task_initial) != 0) return;
  if (end == ompt_scope_begin) {
    thread->Begin(Kind::kRegion, Value(region), index, PlaceIn(nullptr, region));
  } else {
    thread->EndKind(Kind::kRegion);
  }
}

void Share(ompt_work_t, ompt_scope_endpoint_t end, ompt_data_t* region, ompt_data_t*,
           std::uint64_t count, const void* line) {
  ThreadRecord* const thread = Registered();
  if (thread == nullptr) return;
  if (end == ompt_scope_begin) {
    thread->Begin(Kind::kLoop, Value(region), count, PlaceIn(line, region));
  } else {
    thread->EndKind(Kind::kLoop);
  }
}

Kind WaitKind(ompt_sync_region_t kind) {
  return kind == ompt_sync_region_taskwait || kind == ompt_sync_region_taskgroup ? Kind::kTaskWait
                                                                                 : Kind::kBarrier;
}

void WaitInRegion(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t* region,
                  ompt_data_t*, const void* line) {
  ThreadRecord* const thread = Registered();
  if (thread == nullptr || kind == ompt_sync_region_reduction) return;
  if (end == ompt_scope_begin) {
    thread->Begin(WaitKind(kind), Value(region), 0, PlaceIn(line, region));
  } else {
    thread->EndKind(WaitKind(kind));
  }
}

void CreateTask(ompt_data_t*, const ompt_frame_t*, ompt_data_t* task, int flags, int,
                const void* line) {
  if ((flags & ompt_task_explicit) == 0) return;
  task->ptr = const_cast<void*>(line);
  if (ThreadRecord* const thread = Registered()) ++thread->events;
}

// Only explicit tasks have a line.
void SwitchTask(ompt_data_t* before, ompt_task_status_t status, ompt_data_t* next) {
  ThreadRecord* const thread = Registered();
  if (thread == nullptr) return;
  if (status == ompt_task_switch) {
    if (Value(next) != 0) thread->Begin(Kind::kTask, 0, 0, PlaceOf(next->ptr));
  } else if (Value(before) != 0 && status != ompt_task_early_fulfill &&
             status != ompt_task_late_fulfill) {
    thread->EndKind(Kind::kTask);
  }
}

void WaitForLock(ompt_mutex_t, unsigned, unsigned, ompt_wait_id_t lock, const void* line) {
  if (ThreadRecord* const thread = Registered()) {
    thread->Begin(Kind::kLock, lock, 0, PlaceOf(line), false);
  }
}

void AcquireLock(ompt_mutex_t, ompt_wait_id_t lock, const void* line) {
  ThreadRecord* const thread = Registered();
  if (thread == nullptr) return;
  if (thread->IsIn(Kind::kLock)) thread->End(lab::timeline::WakerOf(lock));
  if (lab::timeline::IsRecording()) thread->Acquired(lock, PlaceOf(line));
}

void ReleaseLock(ompt_mutex_t, ompt_wait_id_t lock, const void* line) {
  if (ThreadRecord* const thread = lab::timeline::Self()) {
    thread->Released(lock, reinterpret_cast<std::uintptr_t>(line));
  }
}

template <typename Callback>
void Set(ompt_set_callback_t set, ompt_callbacks_t event, Callback* callback) {
  set(event, reinterpret_cast<ompt_callback_t>(callback));
}

int Initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  const auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  if (set == nullptr) return 0;
  Set(set, ompt_callback_parallel_begin, BeginParallel);
  Set(set, ompt_callback_parallel_end, EndParallel);
  Set(set, ompt_callback_implicit_task, ShareOfRegion);
  Set(set, ompt_callback_work, Share);
  Set(set, ompt_callback_sync_region_wait, WaitInRegion);
  Set(set, ompt_callback_task_create, CreateTask);
  Set(set, ompt_callback_task_schedule, SwitchTask);
  Set(set, ompt_callback_mutex_acquire, WaitForLock);
  Set(set, ompt_callback_mutex_acquired, AcquireLock);
  Set(set, ompt_callback_mutex_released, ReleaseLock);
  lab::timeline::has_openmp_tool = true;
  return 1;
}

void Finalize(ompt_data_t*) {}

template <typename Index>
void BeginChunk(const Index* lower, const Index* upper) {
  if (ThreadRecord* const thread = Registered()) {
    thread->Begin(Kind::kChunk, static_cast<std::uint64_t>(*lower),
                  static_cast<std::uint64_t>(*upper), {});
  }
}

void EndChunk() {
  if (ThreadRecord* const thread = Registered()) thread->EndKind(Kind::kChunk);
}

}  // namespace

extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
  static ompt_start_tool_result_t tool{Initialize, Finalize, {}};
  return &tool;
}

// The runtime's functions (kmp.h in LLVM's openmp); `Step` is signed, of the index's size.
#define LAB_NEXT_CHUNK(name, Index, Step)                                                  \
  extern "C" int __real_##name(void*, std::int32_t, std::int32_t*, Index*, Index*, Step*); \
  extern "C" int __wrap_##name(void* place, std::int32_t thread, std::int32_t* is_last,    \
                               Index* lower, Index* upper, Step* stride) {                 \
    EndChunk();                                                                            \
    const int is_given = __real_##name(place, thread, is_last, lower, upper, stride);      \
    if (is_given != 0) BeginChunk(lower, upper);                                           \
    return is_given;                                                                       \
  }
LAB_NEXT_CHUNK(__kmpc_dispatch_next_4, std::int32_t, std::int32_t)
LAB_NEXT_CHUNK(__kmpc_dispatch_next_4u, std::uint32_t, std::int32_t)
LAB_NEXT_CHUNK(__kmpc_dispatch_next_8, std::int64_t, std::int64_t)
LAB_NEXT_CHUNK(__kmpc_dispatch_next_8u, std::uint64_t, std::int64_t)

#define LAB_STATIC_SHARE(name, Index, Step)                                                       \
  extern "C" void __real_##name(void*, std::int32_t, std::int32_t, std::int32_t*, Index*, Index*, \
                                Step*, Step, Step);                                               \
  extern "C" void __wrap_##name(void* place, std::int32_t thread, std::int32_t schedule,          \
                                std::int32_t* is_last, Index* lower, Index* upper, Step* stride,  \
                                Step step, Step chunk) {                                          \
    __real_##name(place, thread, schedule, is_last, lower, upper, stride, step, chunk);           \
    BeginChunk(lower, upper);                                                                     \
  }
LAB_STATIC_SHARE(__kmpc_for_static_init_4, std::int32_t, std::int32_t)
LAB_STATIC_SHARE(__kmpc_for_static_init_4u, std::uint32_t, std::int32_t)
LAB_STATIC_SHARE(__kmpc_for_static_init_8, std::int64_t, std::int64_t)
LAB_STATIC_SHARE(__kmpc_for_static_init_8u, std::uint64_t, std::int64_t)

extern "C" void __real___kmpc_for_static_fini(void*, std::int32_t);
extern "C" void __wrap___kmpc_for_static_fini(void* place, std::int32_t thread) {
  EndChunk();
  __real___kmpc_for_static_fini(place, thread);
}
