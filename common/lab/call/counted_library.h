#pragma once

#include "common/lab/call/call.h"

namespace lab {

struct ExportTable;

// A build of the student's file whose accesses are counted (access_shares.h), beside the one that
// is linked into the public test.
class CountedLibrary {
 public:
  // nullptr if LAB_COUNTED names none that loads, as where there is no clang++. Lives as long as
  // the process.
  static const CountedLibrary* Get();

  // While it lives, calls of a lab::Function in this process go to the library, which counts them.
  class Use {
   public:
    explicit Use(const CountedLibrary& library);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
  };
  // nullptr: calls go to the functions that are linked.
  static const CountedLibrary* InUse();

  const ExportTable& exports() const { return *exports_; }

  // How large the teams of its OpenMP are from now on, which has its own runtime.
  void SetTeam(int threads) const;

  // Around a call.
  void Begin(const Call& call) const;
  // How many threads shared the work: SharedBy, `most` where it is not known.
  double End(double most) const;

 private:
  explicit CountedLibrary(void* library);

  const ExportTable* exports_ = nullptr;
  void* library_;
};

}  // namespace lab
