#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
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

  // Where the next place begins, at a page boundary.
  std::uint64_t used() const { return used_; }
  void SkipTo(std::uint64_t offset) { used_ = offset; }

  // Places `bytes` in pages of their own, so that they end on a page boundary, and returns their
  // offset. Allocates the pages, so that they are not charged to the worker. Throws Failure
  // (judge_error) when the arena or the memory is full.
  std::uint64_t Place(std::size_t bytes);

 private:
  Descriptor file_;
  std::byte* data_ = nullptr;
  std::uint64_t used_ = 0;
};

// The memory files of one process that makes calls: a worker, or a rank of one.
struct ArenaPair {
  Arena input{Arena::Kind::kInput};
  Arena output{Arena::Kind::kOutput};

  Arena& Of(wire::ArgumentKind kind) { return kind == wire::ArgumentKind::kInput ? input : output; }
  const Arena& Of(wire::ArgumentKind kind) const {
    return kind == wire::ArgumentKind::kInput ? input : output;
  }
};

// Passes the arguments of calls to one worker and back. Each rank of a message-passing program has
// files of its own, so that none reaches another's arguments. Not thread-safe.
//
// The order is Lay, (the worker maps), Fill, (the worker runs and is frozen), Snapshot, Damaged and
// CopyOut. Only Fill shows the worker what the inputs are. Each throws GpuError where the GPU
// fails.
class Arenas {
 public:
  // With `gpu` device spans lie in GPU memory; else they lie in the arenas, as others do. `ranks`:
  // processes that make calls, 1 of all workers but those of message-passing programs.
  explicit Arenas(bool gpu, int ranks = 1);

  int ranks() const { return static_cast<int>(pairs_.size()); }
  int input_fd(int rank = 0) const { return pairs_[static_cast<std::size_t>(rank)].input.fd(); }
  int output_fd(int rank = 0) const { return pairs_[static_cast<std::size_t>(rank)].output.fd(); }

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
  // Returns the offset of an argument's bytes; of one that all ranks get, the same in each.
  std::uint64_t Place(const wire::Argument& argument);
  std::byte* At(const wire::Argument& argument, std::size_t rank) const;
  // Bytes of the span's first page that lie before the span.
  std::size_t CanaryBytes(const wire::Argument& argument) const;

  std::deque<ArenaPair> pairs_;  // by rank
  std::optional<DeviceArena> device_;
  std::size_t page_;
};

}  // namespace grader::checker
