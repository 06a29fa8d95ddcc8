// Misaligned accesses, indices beyond an array and functions without a return, as the compiler's
// -fsanitize= checks report them. Strings are built outside of the kernel: where the program has
// instances of std::string's functions, the linker may choose its instrumented ones.
#include "common/cudasim/include/cudasim/sanitizer_calls.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/memory/describe.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/symbols.h"
#include "common/cudasim/runtime/scheduler/fiber.h"
#include "common/cudasim/runtime/scheduler/grid.h"
#include "common/cudasim/runtime/scheduler/shared_memory.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {
namespace {

// The compiler's descriptions of a check, with the layout that GCC and Clang give them.
struct CheckedPlace {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
};
struct CheckedType {
  std::uint16_t kind;
  std::uint16_t info;  // of integers: bit 0: signed; above: the width's logarithm
  char name[1];        // in quotation marks
};
struct MismatchCheck {
  CheckedPlace at;
  const CheckedType* type;
  std::uint8_t log_alignment;
  std::uint8_t access;
};
struct BoundsCheck {
  CheckedPlace at;
  const CheckedType* array;
  const CheckedType* index;
};
struct ReturnCheck {
  CheckedPlace at;
};

// A thread's local variables have the alignment that the host's compiler gives them, which is a
// GPU's for arrays of 16 bytes and more only.
constexpr std::uintptr_t kLocalAlignment = 16;

bool ChecksKernel() { return current_fiber != nullptr && in_kernel; }

// "float4" of "'const struct float4'".
std::string NameOf(const CheckedType& type) {
  std::string_view name = type.name;
  if (name.size() >= 2) name = name.substr(1, name.size() - 2);
  for (const std::string_view word : {"const ", "volatile ", "struct ", "class ", "union "}) {
    if (name.starts_with(word)) name.remove_prefix(word.size());
  }
  return std::string(name);
}

std::string VerbOf(const MismatchCheck& check) {
  constexpr std::uint8_t kLoad = 0;
  constexpr std::uint8_t kStore = 1;
  return check.access == kLoad ? "read" : check.access == kStore ? "write" : "access";
}

Place PlaceOfCheck(const void* caller) {
  return Locate(caller, PlaceOf(RunningGrid()->launched_at));
}

[[noreturn]] void EndCheckedKernel(Kind kind, const std::string& operation, const std::string& what,
                                   const char* advice, const void* caller, cudaError_t error) {
  in_kernel = false;
  const Place place = PlaceOfCheck(caller);
  Report(
      {kind,
       "kernel " + std::string(RunningGrid()->source.name) + ", " + place.ToString() + ": " + what,
       {DescribeCurrentThread(), DescribeLaunch(*RunningGrid()), advice},
       {{operation, place, ToString(threadIdx), ToString(blockIdx)}}});
  MakeSticky(error);
  Worker::Current().Abandon();
}

std::string DescribeInArena(std::size_t offset) {
  const PlacedVariable* const variable = NearestSharedVariable(offset);
  if (offset >= shared_static_end || variable == nullptr) {
    return "byte " + std::to_string(offset - shared_static_end) + " of the dynamic shared memory";
  }
  return "byte " + std::to_string(offset - variable->offset) + " of " + variable->variable.name +
         " (__shared__, " + variable->variable.file + ":" +
         std::to_string(variable->variable.line) + ")";
}

// Where the address lies; empty if its alignment is the host compiler's choice, or if it is not in
// memory of the device, which other checks report.
std::string DescribeMisaligned(const void* address, std::uintptr_t alignment) {
  const auto in_arena = static_cast<std::size_t>(static_cast<const char*>(address) - shared_arena);
  if (in_arena < kArenaBytes) return DescribeInArena(in_arena);
  if (IsFiberStack(address)) return alignment < kLocalAlignment ? "" : "the thread's local memory";
  if (IsSymbol(address, 1)) {
    const Symbol symbol = FindVariable(address);
    if (symbol.name.empty() || symbol.offset % alignment == 0) return "";
    return "byte " + std::to_string(symbol.offset) + " of " + symbol.name;
  }
  if (!DeviceHeap::Contains(address)) return "";
  const Allocation* const near = DeviceHeap::Get().FindNear(address);
  return near == nullptr ? "" : DescribeOffset(*near, address, 1);
}

void OnMisaligned(const MismatchCheck& check, std::uintptr_t address, const void* caller) {
  if (!ChecksKernel()) return;
  const std::uintptr_t alignment = std::uintptr_t{1} << check.log_alignment;
  in_kernel = false;
  const std::string where = DescribeMisaligned(reinterpret_cast<const void*>(address), alignment);
  if (where.empty()) {
    in_kernel = true;
    return;
  }
  const std::string multiple = std::to_string(alignment);
  EndCheckedKernel("misaligned", VerbOf(check),
                   VerbOf(check) + " of " + NameOf(*check.type) + " at " + where +
                       ": its address must be a multiple of " + multiple + " bytes, but is " +
                       std::to_string(address % alignment) + " past one",
                   "on a GPU the kernel ends there with the error \"misaligned address\"", caller,
                   cudaErrorMisalignedAddress);
}

struct FlatIndexLists {
  std::mutex mutex;
  std::vector<FlatIndex> places;
};

FlatIndexLists& AllFlatIndices() {
  static auto* const lists = new FlatIndexLists;
  return *lists;
}

bool IsFlatIndex(const CheckedPlace& at) {
  FlatIndexLists& lists = AllFlatIndices();
  const std::lock_guard lock(lists.mutex);
  for (const FlatIndex& place : lists.places) {
    if (place.line == static_cast<int>(at.line) && std::strcmp(place.file, at.file) == 0) {
      return true;
    }
  }
  return false;
}

std::string IndexText(const CheckedType& type, std::uintptr_t index) {
  if ((type.info & 1) == 0) return std::to_string(index);
  const unsigned bits = 1u << (type.info >> 1);
  const unsigned unused = bits < 64 ? 64 - bits : 0;
  return std::to_string(static_cast<std::int64_t>(index << unused) >> unused);
}

// "index 16 of an array of 16 (float [16])"
std::string DescribeIndexIn(const BoundsCheck& check, std::uintptr_t index) {
  const std::string array = NameOf(*check.array);
  const std::size_t open = array.find('[');
  const std::size_t close = array.find(']');
  std::string text = "index " + IndexText(*check.index, index);
  if (open != array.npos && close != array.npos) {
    text += " of an array of " + array.substr(open + 1, close - open - 1);
  }
  return text + " (" + array + ")";
}

}  // namespace

void NoteFlatIndices(const FlatIndex* places, unsigned long count) {
  FlatIndexLists& lists = AllFlatIndices();
  const std::lock_guard lock(lists.mutex);
  lists.places.insert(lists.places.end(), places, places + count);
}

}  // namespace cudasim

extern "C" {

// The compiler's check for objects that are too small calls it, too, with an aligned address.
void __ubsan_handle_type_mismatch_v1(void* data, unsigned long address) {
  using namespace cudasim;  // NOLINT: the function's name must be C's
  const auto& check = *static_cast<const MismatchCheck*>(data);
  const void* const caller = __builtin_return_address(0);
  if (address % (std::uintptr_t{1} << check.log_alignment) != 0) {
    OnMisaligned(check, address, caller);
  } else if (ChecksKernel() && IsFiberStack(reinterpret_cast<const void*>(address))) {
    in_kernel = false;
    EndCheckedKernel("out_of_bounds", VerbOf(check),
                     VerbOf(check) + " of " + NameOf(*check.type) +
                         " beyond a local variable or array of the thread",
                     "compare the index with the array's size", caller, cudaErrorIllegalAddress);
  }
}

void __ubsan_handle_out_of_bounds(void* data, unsigned long index) {
  using namespace cudasim;  // NOLINT: the function's name must be C's
  const auto& check = *static_cast<const BoundsCheck*>(data);
  const void* const caller = __builtin_return_address(0);
  if (IsFlatIndex(check.at)) return;
  const bool checks_kernel = ChecksKernel();
  in_kernel = false;
  const std::string what = DescribeIndexIn(check, index);
  if (checks_kernel) {
    EndCheckedKernel("out_of_bounds", "access", what,
                     "an index beyond a row lies in the next row, or in another variable", caller,
                     cudaErrorIllegalAddress);
  }
  if (kCheckMode) {
    Report({"out_of_bounds", "host code at " + Locate(caller).ToString() + ": " + what, {}});
  }
}

[[noreturn]] void __ubsan_handle_missing_return(void* data) {
  using namespace cudasim;  // NOLINT: the function's name must be C's
  const auto& check = *static_cast<const ReturnCheck*>(data);
  const char* const what = "a function that returns a value ended without return";
  if (ChecksKernel()) {
    in_kernel = false;
    EndCheckedKernel("missing_return", "return", what, "write return and the value on every path",
                     __builtin_return_address(0), cudaErrorLaunchFailure);
  }
  std::fprintf(stderr, "error: %s:%u: %s\n  next: write return and the value on every path\n",
               check.at.file, check.at.line, what);
  std::abort();
}

}  // extern "C"
