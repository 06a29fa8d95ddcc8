#pragma once

// What the contract header of a message-passing lab needs: arrays of which each rank has a part.

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "common/lab/call/parameter.h"

namespace lab {

// The part of a distributed array that belongs to the calling rank; const T says input. It is used
// like a std::span, and is a type of its own because a test passes the parts of all ranks.
template <typename T>
class LocalSpan : public std::span<T> {
 public:
  using std::span<T>::span;
};

// A test passes a vector for each rank, in the order of the ranks. Their number is that of the
// call.
template <typename T>
struct ParameterTraits<LocalSpan<T>> : ParameterTraits<std::span<T>> {
  using Part = std::vector<std::remove_const_t<T>>;
  using Host = std::span<std::conditional_t<std::is_const_v<T>, const Part, Part>>;
  static constexpr Place kPlace = Place::kEachRank;
};

}  // namespace lab

using lab::LocalSpan;
