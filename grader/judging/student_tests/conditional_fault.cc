// Makes of a right program one with a fault in one function that shows with some inputs only:
// linked between the table of its functions, here called RightExports(), and whoever asks for
// LabExports().

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "common/lab/exports/exports.h"

extern "C" const lab::ExportTable* RightExports();

// The function with the fault, and when it shows; conditional.py defines them.
extern "C" const char kFaultyFunction[];
extern "C" const int kCondition;

namespace {

using lab::Argument;
using Kind = Argument::Kind;
using Arguments = std::span<const Argument>;

constexpr std::size_t kMostFunctions = 32;

struct Staged {
  void* right;
  std::vector<Argument> arguments;
};

std::size_t LargestOf(Kind kind, Arguments arguments) {
  std::size_t largest = 0;
  for (const Argument& each : arguments) {
    if (each.kind == kind) largest = std::max(largest, each.count);
  }
  return largest;
}

// Of the inputs: among the others may be a workspace, of any size.
std::size_t LargestSpan(Arguments arguments) {
  const std::size_t largest = LargestOf(Kind::kInput, arguments);
  return largest > 0 ? largest : LargestOf(Kind::kInOut, arguments);
}

// Of the first one that is an integer by its size, 0 if there is none.
std::int64_t FirstScalar(Arguments arguments) {
  for (const Argument& each : arguments) {
    if (each.kind != Kind::kScalar) continue;
    if (each.element_size == 4) return *static_cast<const std::int32_t*>(each.data);
    if (each.element_size == 8) return *static_cast<const std::int64_t*>(each.data);
  }
  return 0;
}

const std::byte* BytesOf(const Argument& argument, std::size_t element) {
  return static_cast<const std::byte*>(argument.data) + element * argument.element_size;
}

// Whether the first element of the first input is negative, if it is a number with a sign.
bool BeginsNegative(Arguments arguments) {
  for (const Argument& each : arguments) {
    if (each.kind != Kind::kInput || each.count == 0 || each.element_size < 4) continue;
    return (BytesOf(each, 0)[each.element_size - 1] & std::byte{0x80}) != std::byte{0};
  }
  return false;
}

bool IsSmallerThanBefore(std::size_t n) {
  static std::atomic<std::size_t> before = 0;
  return n < before.exchange(n);
}

bool Shows(Arguments arguments) {
  const std::size_t n = LargestSpan(arguments);
  const std::int64_t scalar = FirstScalar(arguments);
  switch (kCondition) {
    case 0:
      return n == 1;
    case 1:
      return n > 0 && n % 256 == 0;
    case 2:
      return n > 256 && n % 256 == 1;
    case 3:
      return n % 32 == 31;
    case 4:
      return n > 50'000;
    case 5:
      return n > 0 && scalar > static_cast<std::int64_t>(n);
    case 6:
      return n > 2 && scalar == 1;
    case 7:
      return IsSmallerThanBefore(n);
    case 8:
      return BeginsNegative(arguments);
    default:
      return n > 1000 && n % 2 == 1;
  }
}

void Spoil(void* element, std::size_t size) {
  static_cast<std::byte*>(element)[size - 1] ^= std::byte{0x41};
}

// The first or the last element of every output. Any may be a workspace, which no test reads.
void SpoilOutputs(std::span<Argument> arguments) {
  for (Argument& each : arguments) {
    if (each.kind != Kind::kInOut || each.count == 0) continue;
    const std::size_t element = kCondition % 2 == 0 ? 0 : each.count - 1;
    Spoil(static_cast<std::byte*>(each.data) + element * each.element_size, each.element_size);
  }
}

template <std::size_t kIndex>
struct Faulty {
  static const lab::ExportedFunction& Right() { return RightExports()->functions[kIndex]; }
  static Staged& Of(void* staged) { return *static_cast<Staged*>(staged); }

  static void* Stage(Arguments arguments) {
    return new Staged{Right().stage(arguments), {arguments.begin(), arguments.end()}};
  }
  static void Start(void* staged, void* result) {
    Right().start(Of(staged).right, result);
    const std::size_t size = Right().result_size;
    if (size > 0 && Shows(Of(staged).arguments)) Spoil(result, size);
  }
  static void Finish(void* staged) { Right().finish(Of(staged).right); }
  static void Fetch(void* staged) {
    Right().fetch(Of(staged).right);
    if (Right().result_size == 0 && Shows(Of(staged).arguments)) SpoilOutputs(Of(staged).arguments);
  }
  static void Release(void* staged) {
    Right().release(Of(staged).right);
    delete &Of(staged);
  }
};

template <std::size_t... kIndex>
lab::ExportedFunction FaultyFunction(std::size_t index, std::index_sequence<kIndex...>) {
  lab::ExportedFunction function = RightExports()->functions[index];
  ((kIndex == index
        ? void((function.stage = Faulty<kIndex>::Stage, function.start = Faulty<kIndex>::Start,
                function.finish = Faulty<kIndex>::Finish, function.fetch = Faulty<kIndex>::Fetch,
                function.release = Faulty<kIndex>::Release))
        : void()),
   ...);
  return function;
}

lab::ExportTable MakeTable() {
  static std::array<lab::ExportedFunction, kMostFunctions> functions{};
  const lab::ExportTable& right = *RightExports();
  const std::size_t count = std::min(right.count, kMostFunctions);
  for (std::size_t i = 0; i < count; ++i) {
    functions[i] = std::string_view(right.functions[i].name) == kFaultyFunction
                       ? FaultyFunction(i, std::make_index_sequence<kMostFunctions>())
                       : right.functions[i];
  }
  return {functions.data(), count};
}

}  // namespace

extern "C" const lab::ExportTable* LabExports() {
  static const lab::ExportTable table = MakeTable();
  return &table;
}
