#pragma once

// The functions' answers as text, for messages of the tests: "00 01 11", or "no value".

#include <optional>
#include <string>

#include "labs/memory_models/memory_models.h"

namespace memory_models {

inline std::string Text(std::int64_t value) { return std::to_string(value); }

inline std::string Text(const BufferReport& report) {
  return Text(report.cycles) + " cycles, " + Text(report.waited) + " waited, " +
         Text(report.forwarded) + " forwarded";
}

inline std::string Text(const MesiTraffic& bus) {
  return Text(bus.reads) + " reads, " + Text(bus.exclusive_reads) + " exclusive reads, " +
         Text(bus.upgrades) + " upgrades, " + Text(bus.invalidations) + " invalidations, " +
         Text(bus.write_backs) + " write-backs, " + Text(bus.false_sharing) + " by false sharing";
}

inline std::string Text(const PramRating& rating) {
  static constexpr std::array<const char*, 4> kNames{"EREW", "CREW", "common CRCW",
                                                     "arbitrary CRCW"};
  const auto weakest = static_cast<std::uint32_t>(rating.weakest);
  return (weakest < kNames.size() ? kNames[weakest] : "number " + std::to_string(weakest)) + ", " +
         Text(rating.steps) + " steps, EREW time " + Text(rating.erew_time);
}

inline std::string Text(const Hiding& hiding) {
  return Text(hiding.bytes_in_flight) + " bytes, " + Text(hiding.warps) + " warps, " +
         Text(hiding.loads) + " loads";
}

template <typename Answer>
std::string Text(const std::optional<Answer>& answer) {
  return answer ? Text(*answer) : "no value";
}

/// The outcomes in a set by their first `registers` registers, r0 first: "00 01 11".
inline std::string Outcomes(const std::optional<OutcomeSet>& set, int registers) {
  if (!set) return "no value";
  std::string text;
  for (std::uint32_t outcome = 0; outcome < 256; ++outcome) {
    if ((set->words[outcome / 64] >> outcome % 64 & 1) == 0) continue;
    if (!text.empty()) text += ' ';
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t held = outcome >> 2 * i & 3;
      if (i < registers || held != 0) text += static_cast<char>('0' + held);
    }
  }
  return text;
}

/// A litmus test, for a message: "T0: x=1 r0=y; T1: fence r1=x".
inline std::string Text(std::span<const Instruction> program) {
  static constexpr const char* kVariables = "xyzw";
  std::string text;
  for (std::int32_t thread = 0; thread < 4; ++thread) {
    std::string of_thread;
    for (const Instruction& each : program) {
      if (each.thread != thread) continue;
      const std::string variable(1, kVariables[each.variable & 3]);
      if (each.kind == Kind::kStore) of_thread += " " + variable + "=" + Text(each.value);
      if (each.kind == Kind::kLoad) of_thread += " r" + Text(each.value) + "=" + variable;
      if (each.kind == Kind::kFence) of_thread += " fence";
    }
    if (of_thread.empty()) continue;
    if (!text.empty()) text += "; ";
    text += "T" + Text(thread) + ":" + of_thread;
  }
  return text;
}

}  // namespace memory_models
