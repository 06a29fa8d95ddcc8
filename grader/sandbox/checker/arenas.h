#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/lab/call/call.h"
#include "grader/sandbox/checker/damage.h"
#include "grader/sandbox/checker/device_arena.h"
#include "grader/sandbox/jail/descriptor.h"
#include "grader/sandbox/wire/wire.h"

namespace grader::checker {

// A sparse shared memory file of fixed size, which this process writes.
class Arena {
 public:
  enum class Kind {
    kInput,   // only this process can write it
    kOutput,  // every process with the descriptor can
  };

  // Throws std::system_error.
  explicit Arena(Kind kind);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  int fd() const { return file_.get(); }
  std::byte* data() const { return data_; }

  // Forgets all places given so far.
  void Clear() { used_ = 0; }

  // Places `bytes` in pages of their own, so that they end on a page boundary, and returns their
  // offset. Allocates the pages, so that they are not charged to the worker. Throws Failure
  // (judge_error) when the arena or the memory is full.
  std::uint64_t Place(std::size_t bytes);

 private:
  Descriptor file_;
  std::byte* data_ = nullptr;
  std::uint64_t used_ = 0;
};

// Passes the arguments of calls to one worker and back. Not thread-safe.
//
// The order is Lay, (the worker maps), Fill, (the worker runs and is frozen), Snapshot, Damaged and
// CopyOut. Only Fill shows the worker what the inputs are. Each throws GpuError where the GPU
// fails.
class Arenas {
 public:
  // With `gpu` device spans lie in GPU memory; else they lie in the arenas, as others do.
  explicit Arenas(bool gpu);

  int input_fd() const { return input_.fd(); }
  int output_fd() const { return output_.fd(); }

  // Decides where each argument goes and writes that, and the scalars, into the request. Throws
  // Failure (judge_error) when they don't fit.
  void Lay(const lab::Call& call, wire::Request& request);

  // Copies the contents of all spans in and sets the canaries. Request as Lay made it.
  void Fill(const lab::Call& call, const wire::Request& request);

  // As DeviceArena::WarmUp. After Lay; does nothing without a GPU.
  void WarmUp();

  // Copies the outputs in GPU memory. Outputs in the arenas must not change from now on.
  void Snapshot();

  // The first in-out argument with a changed byte just outside of it. On the host this checks only
  // bytes before the first element, as accesses behind the last one fault.
  std::optional<Damage> Damaged(const wire::Request& request);

  // Copies the contents of all in-out spans back.
  void CopyOut(const lab::Call& call, const wire::Request& request) const;

 private:
  std::byte* At(const wire::Argument& argument) const;
  // Bytes of the span's first page that lie before the span.
  std::size_t CanaryBytes(const wire::Argument& argument) const;

  Arena input_{Arena::Kind::kInput};
  Arena output_{Arena::Kind::kOutput};
  std::optional<DeviceArena> device_;
  std::size_t page_;
};

}  // namespace grader::checker
