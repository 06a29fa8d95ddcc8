#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/lab/call/call.h"
#include "grader/sandbox/checker/damage.h"
#include "grader/sandbox/gpu/driver.h"
#include "grader/sandbox/wire/wire.h"

namespace grader::checker {

// Passes the device spans of a timed call to one worker and back, in GPU memory that this process
// owns and the worker opens. They are filled while the worker is frozen, and what its kernels write
// after Snapshot is lost, so a reply before the work is done gains no time. The worker can also
// write its inputs, which are not read again. Used as Arenas is. Not thread-safe. Throws GpuError.
class DeviceArena {
 public:
  // Decides where each device span of the call goes and writes that into the request, whose
  // arguments are filled in but for their offset.
  void Lay(const lab::Call& call, wire::Request& request);

  // Copies their contents in and sets the canaries around them.
  void Fill(const lab::Call& call, const wire::Request& request);

  // Keeps the GPU busy for some milliseconds, as an idle one lowers its clocks, and resets the
  // persisting lines that a worker left in the L2 cache. The worker's next operation includes the
  // context switch to it. After Lay.
  void WarmUp();

  // Copies the outputs as they are now, on the device: a GB in less than a ms.
  void Snapshot();

  // The first in-out device span with a changed byte within 256 bytes of it. After Snapshot.
  std::optional<Damage> Damaged(const wire::Request& request);

  // Copies the contents of all in-out device spans back. After Damaged.
  void CopyOut(const lab::Call& call, const wire::Request& request) const;

 private:
  std::uint64_t Place(std::size_t bytes);
  void Grow(std::uint64_t bytes);

  Driver& driver_ = Driver::Get();
  std::optional<DeviceBlock> shared_;    // outputs, then inputs
  std::optional<DeviceBlock> snapshot_;  // of the outputs
  std::uint64_t capacity_ = 0;           // of each
  std::uint64_t used_ = 0;
  std::uint64_t output_bytes_ = 0;
  std::vector<std::byte> image_;  // the snapshot in host memory
};

}  // namespace grader::checker
