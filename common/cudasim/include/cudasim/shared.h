// __shared__ variables.  Every variable of the program has its own place in one arena per resident
// block, assigned when the program starts; dynamic shared memory begins after the last of them.
//
// The rewriter turns `__shared__ float tile[16][17];` into a reference to that place.
#pragma once

#include <cstddef>
#include <type_traits>

#include "cudasim/instrumented.h"

namespace cudasim {

struct SharedVariable {
  const char* name;
  const char* file;
  int line;
  std::size_t bytes;
  std::size_t alignment;
  std::size_t element_bytes;
  unsigned columns;  // the last extent of an array of two or more dimensions; else 0
};

// Reserves a place; returns its offset in the arena, in bytes.
unsigned RegisterShared(const SharedVariable& variable);

// Shared memory of one resident block: every static variable of the program, then dynamic memory.
constexpr std::size_t kArenaBytes = std::size_t{1} << 20;

extern __thread char* shared_arena __attribute__((tls_model("initial-exec")));
extern unsigned shared_static_end;  // offset of dynamic shared memory

struct SharedOffset {
  explicit SharedOffset(const SharedVariable& variable) : bytes(RegisterShared(variable)) {}
  unsigned bytes;
};

// Tag: a type made by the rewriter with `Type`, Name(), File() and Line().  The rewriter defines
// `offset`, initialised before the program: in a precompiled header g++ forgets the priority.
template <class Tag>
struct SharedPlace {
  static const SharedOffset offset;
};

template <class Type>
constexpr unsigned Columns() {
  constexpr std::size_t rank = std::rank_v<Type>;
  if constexpr (rank < 2) return 0;
  return std::extent_v < Type, rank == 0 ? 0 : rank - 1 > ;
}

template <class Tag>
CUDASIM_INLINE SharedVariable VariableOf() {
  using Type = typename Tag::Type;
  return {Tag::Name(),    Tag::File(),   Tag::Line(),
          sizeof(Type),   alignof(Type), sizeof(std::remove_all_extents_t<Type>),
          Columns<Type>()};
}

template <class Tag>
CUDASIM_UNSEEN typename Tag::Type& Shared() {
  return *reinterpret_cast<typename Tag::Type*>(shared_arena + SharedPlace<Tag>::offset.bytes);
}

template <class T>
CUDASIM_UNSEEN T* DynamicShared() {
  return reinterpret_cast<T*>(shared_arena + shared_static_end);
}

// `extern __shared__ T name[];` outside a function.
template <class T>
struct DynamicSharedName {
  CUDASIM_INLINE operator T*() const { return DynamicShared<T>(); }
  template <class U>
  CUDASIM_INLINE explicit operator U*() const {
    return reinterpret_cast<U*>(DynamicShared<T>());
  }
};

}  // namespace cudasim
