// A shadow cell: one access to one 4-byte word in 64 bits, as ThreadSanitizer keeps it.
//
//   bits 0-3    bytes of the word known to be initialised, by any thread or the host
//   bits 4-7    bytes of the word that the access touched
//   bit 8       the access was a write or an atomic update
//   bit 9       the access was atomic or volatile
//   bit 10      the word's other cells are in use
//   bit 11      the same access by another lane of the warp in this epoch needs no cell
//   bit 12      nor by a thread of another warp of the block in this epoch; without bit 11: the
//               access is a run of reads, each byte by the thread behind the lower byte's
//   bit 13      nor by a thread of another block, unless the launch has used a fence
//   bits 14-25  code address, as a number of code_table.h
//   bits 26-35  the thread in its block
//   bits 36-63  epoch
#pragma once

#include <cstdint>

namespace cudasim {

using ShadowCell = std::uint64_t;
// A logical clock of the whole grid.  Each barrier of a block, each __syncwarp() and each fence
// begins a new epoch, so an epoch belongs to one block, and to one interval of its execution.
using Epoch = std::uint32_t;
// Linear index of a thread in its grid.
using ThreadId = std::uint32_t;

constexpr ThreadId kNoThread = ~ThreadId{0};

constexpr ShadowCell kBytes = 0xF;  // initialised bytes; shifted by kTouchedShift, touched bytes
constexpr int kTouchedShift = 4;
constexpr ShadowCell kWrote = 1 << 8;
constexpr ShadowCell kSynchronised = 1 << 9;
constexpr ShadowCell kHasOthers = 1 << 10;
constexpr ShadowCell kRedundantInWarp = 1 << 11;
constexpr ShadowCell kRedundantInBlock = 1 << 12;
constexpr ShadowCell kRedundantInGrid = 1 << 13;
constexpr int kCodeShift = 14;
constexpr int kCodeBits = 12;
constexpr int kThreadShift = kCodeShift + kCodeBits;
constexpr int kThreadBits = 10;
constexpr int kEpochShift = kThreadShift + kThreadBits;
constexpr Epoch kEpochLimit = Epoch{1} << (64 - kEpochShift);

// FastTrack's c@t: the epoch and the thread of an access.
constexpr ShadowCell Stamp(Epoch epoch, unsigned thread) {
  return ShadowCell{epoch} << kEpochShift | ShadowCell{thread} << kThreadShift;
}
constexpr ShadowCell kStampBits = ~ShadowCell{0} << kThreadShift;

constexpr Epoch EpochOf(ShadowCell cell) { return static_cast<Epoch>(cell >> kEpochShift); }
constexpr unsigned ThreadOf(ShadowCell cell) {
  return static_cast<unsigned>(cell >> kThreadShift) & ((1u << kThreadBits) - 1);
}
constexpr unsigned CodeOf(ShadowCell cell) {
  return static_cast<unsigned>(cell >> kCodeShift) & ((1u << kCodeBits) - 1);
}
constexpr ShadowCell Touched(ShadowCell cell) { return cell >> kTouchedShift & kBytes; }
constexpr bool SameEpoch(ShadowCell a, ShadowCell b) { return (a ^ b) >> kEpochShift == 0; }
// The same epoch and the same warp.
constexpr bool SameWarpNow(ShadowCell a, ShadowCell b) {
  return (a ^ b) >> (kThreadShift + 5) == 0;
}
// True if consecutive threads of a block have read one byte each, the cell's thread the lowest.
constexpr bool IsRun(ShadowCell cell) {
  return (cell & (kRedundantInWarp | kRedundantInBlock)) == kRedundantInBlock;
}
constexpr bool SameStamp(ShadowCell a, ShadowCell b) { return ((a ^ b) & kStampBits) == 0; }

}  // namespace cudasim
