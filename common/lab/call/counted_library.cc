#include "common/lab/call/counted_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

#include "common/lab/call/access_shares.h"

namespace lab {
namespace {

const CountedLibrary* in_use = nullptr;

template <typename Function>
Function* Find(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

CountedLibrary::CountedLibrary(void* library) : library_(library) {
  exports_ = Find<const ExportTable*()>(library, "LabExports")();
}

const CountedLibrary* CountedLibrary::Get() {
  static const CountedLibrary* const library = []() -> const CountedLibrary* {
    const char* const path = std::getenv("LAB_COUNTED");
    if (path == nullptr) return nullptr;
    // Its functions and its OpenMP, not those of the program with the same names.
    void* const loaded = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    return loaded == nullptr ? nullptr : new CountedLibrary(loaded);
  }();
  return library;
}

CountedLibrary::Use::Use(const CountedLibrary& library) { in_use = &library; }
CountedLibrary::Use::~Use() { in_use = nullptr; }

const CountedLibrary* CountedLibrary::InUse() { return in_use; }

void CountedLibrary::SetTeam(int threads) const {
  const auto set = Find<void(int)>(library_, "omp_set_num_threads");
  if (set != nullptr) set(threads);
}

void CountedLibrary::Begin(const Call& call) const {
  std::vector<LabSpan> spans;
  for (const Argument& argument : call.arguments) {
    if (argument.kind == Argument::Kind::kScalar) continue;
    spans.push_back({argument.data, argument.count * argument.element_size,
                     argument.kind == Argument::Kind::kInOut});
  }
  Find<decltype(LabBeginShares)>(library_, "LabBeginShares")(spans.data(), spans.size());
}

double CountedLibrary::End(double most) const {
  return SharedBy(Find<decltype(LabEndShares)>(library_, "LabEndShares")(), most);
}

}  // namespace lab
