// One access to one 4-byte word in 64 bits.
//
//   bits 0-3    bytes of the word known to be initialised, whoever wrote them
//   bits 4-7    bytes of the word that the access touched
//   bit 8       it wrote
//   bit 9       it was atomic or volatile
//   bit 10      the word's other records are in use
//   bit 11      others of its warp did the same in this serial: one more needs no record
//   bit 12      and others of any warp
//   bit 13      and others of any block, as long as no thread of the launch has used a fence
//   bits 14-25  where in the code: see code_table.h
//   bits 26-35  the thread in its block
//   bits 36-63  serial
#pragma once

#include <cstdint>

namespace cudasim {

using Record = std::uint64_t;
// Serials count barrier epochs of all blocks of a launch, and fences, in the order in which they
// happen: one serial names one block and one stretch of it between barriers.
using Serial = std::uint32_t;
// Linear index of a thread in its grid.
using ThreadId = std::uint32_t;

constexpr ThreadId kNoThread = ~ThreadId{0};

constexpr Record kBytes = 0xF;  // initialised bytes; shifted by kTouchedShift, touched bytes
constexpr int kTouchedShift = 4;
constexpr Record kWrote = 1 << 8;
constexpr Record kSynchronised = 1 << 9;
constexpr Record kMore = 1 << 10;
constexpr Record kFreeInWarp = 1 << 11;
constexpr Record kFree = 1 << 12;
constexpr Record kFreeInGrid = 1 << 13;
constexpr int kCodeShift = 14;
constexpr int kCodeBits = 12;
constexpr int kThreadShift = kCodeShift + kCodeBits;
constexpr int kThreadBits = 10;
constexpr int kSerialShift = kThreadShift + kThreadBits;
constexpr Serial kSerialLimit = Serial{1} << (64 - kSerialShift);

// Who and when, without what and where.
constexpr Record Stamp(Serial serial, unsigned thread) {
  return Record{serial} << kSerialShift | Record{thread} << kThreadShift;
}
constexpr Record kStampBits = ~Record{0} << kThreadShift;

constexpr Serial SerialOf(Record record) { return static_cast<Serial>(record >> kSerialShift); }
constexpr unsigned ThreadOf(Record record) {
  return static_cast<unsigned>(record >> kThreadShift) & ((1u << kThreadBits) - 1);
}
constexpr unsigned CodeOf(Record record) {
  return static_cast<unsigned>(record >> kCodeShift) & ((1u << kCodeBits) - 1);
}
constexpr Record Touched(Record record) { return record >> kTouchedShift & kBytes; }
constexpr bool SameSerial(Record a, Record b) { return (a ^ b) >> kSerialShift == 0; }
// The same serial and the same warp.
constexpr bool SameWarpNow(Record a, Record b) { return (a ^ b) >> (kThreadShift + 5) == 0; }
constexpr bool SameStamp(Record a, Record b) { return ((a ^ b) & kStampBits) == 0; }

}  // namespace cudasim
