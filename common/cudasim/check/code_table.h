// A hash table from code addresses that access memory to numbers that fit into a shadow cell.
#pragma once

#include <cstdint>

#include "common/cudasim/check/shadow_cell.h"

namespace cudasim {

constexpr unsigned kCodes = 1u << kCodeBits;  // 0 stands for no address

// What is known of the code with a number.
struct CodeTable {
  const void* places[kCodes] = {};   // code addresses; null if unused
  bool compares[kCodes] = {};        // the code is a compare-and-swap
  bool volatiles[kCodes] = {};       // the code is a volatile access, not an atomic one
  bool release_writes[kCodes] = {};  // a volatile write behind a fence
  bool repeats[kCodes] = {};         // a volatile read that some thread repeats without a write
  bool awaits[kCodes] = {};  // a read of a word that some thread reads again and nothing else
  // Of a volatile write of a word that its thread has just read: that read's code.
  unsigned short updates[kCodes] = {};
  // A volatile read of another word that the update with this code followed.
  unsigned short feeds[kCodes] = {};
  bool block_scope[kCodes] = {};  // the code is an atomic operation of block scope
  bool observes[kCodes] = {};     // the code is an atomic or volatile access that looks
};

extern CodeTable codes __attribute__((visibility("hidden")));

// Where probing for an address begins.
inline unsigned FirstCode(const void* pc) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(pc) * kGolden >> (64 - kCodeBits));
}

// The number of an address, which is inserted if it is new; 0 if the table is full.
unsigned CodeFor(const void* pc);

}  // namespace cudasim
