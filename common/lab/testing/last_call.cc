#include "common/lab/testing/last_call.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace lab {
namespace {

constexpr std::size_t kMostNumberBytes = 32;  // of a scalar that may hold a size

std::vector<std::size_t>& Numbers() {
  static std::vector<std::size_t> numbers;
  return numbers;
}

// The numbers in a scalar if its parts are of type T. A float is read as a huge number, of which no
// product is the number of elements.
template <typename T>
void AddParts(const Argument& scalar, std::vector<std::size_t>& numbers) {
  const auto* const bytes = static_cast<const char*>(scalar.data);
  for (std::size_t at = 0; at + sizeof(T) <= scalar.element_size; at += sizeof(T)) {
    T part;
    std::memcpy(&part, bytes + at, sizeof(T));
    if (part > 1 && part < T{1} << 30) numbers.push_back(static_cast<std::size_t>(part));
  }
}

}  // namespace

void InvokeAndRemember(const Call& call) {
  std::vector<std::size_t>& numbers = Numbers();
  numbers.clear();
  for (const Argument& argument : call.arguments) {
    if (argument.kind != Argument::Kind::kScalar) continue;
    if (argument.element_size % 4 != 0 || argument.element_size > kMostNumberBytes) continue;
    if (argument.element_size % 8 == 0) AddParts<std::int64_t>(argument, numbers);
    if (argument.element_size != 8) AddParts<std::int32_t>(argument, numbers);
  }
  Invoke(call);
}

std::vector<Extents> ShapesByLastCall(std::size_t elements) {
  const std::vector<std::size_t>& numbers = Numbers();
  std::vector<Extents> shapes;
  const auto add = [&](Extents extents) {
    if (std::ranges::find(shapes, extents) == shapes.end()) shapes.push_back(std::move(extents));
  };
  for (std::size_t i = 0; i + 2 < numbers.size(); ++i) {
    const std::size_t a = numbers[i], b = numbers[i + 1], c = numbers[i + 2];
    if (elements % a != 0 || elements / a % b != 0 || elements / a / b != c) continue;
    add({c, b, a});  // width, height, depth
    add({a, b, c});
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t j = i + 1; j < numbers.size(); ++j) {
      if (elements % numbers[i] != 0 || elements / numbers[i] != numbers[j]) continue;
      add({numbers[i], numbers[j]});
      add({numbers[j], numbers[i]});
    }
    if (elements % numbers[i] == 0 && elements / numbers[i] == numbers[i]) {
      add({numbers[i], numbers[i]});
    }
  }
  return shapes;
}

}  // namespace lab
