#pragma once

// The functions' answers as text, for messages of the tests: "3 blocks, 24 warps, limit registers",
// or "no value".

#include <optional>
#include <sstream>
#include <string>

#include "labs/performance_models/performance_models.h"

namespace performance_models {

inline std::string Text(std::int64_t value) { return std::to_string(value); }

inline std::string Text(const WorkAndSpan& tasks) {
  return "work " + Text(tasks.work) + ", span " + Text(tasks.span);
}

inline std::string Text(const TimeBounds& time) {
  return "least " + Text(time.least) + ", most " + Text(time.most);
}

inline std::string Text(const Occupancy& fit) {
  static constexpr std::array<const char*, 4> kNames{"threads", "blocks", "registers",
                                                     "shared memory"};
  const auto limit = static_cast<std::uint32_t>(fit.limit);
  return Text(fit.blocks) + " blocks, " + Text(fit.warps) + " warps, limit " +
         (limit < kNames.size() ? kNames[limit] : "number " + std::to_string(limit));
}

inline std::string Text(const BankCost& cost) {
  return Text(cost.wavefronts) + " wavefronts, " + Text(cost.conflicts) + " conflicts";
}

inline std::string Text(const FormatBytes& bytes) {
  return "CSR " + Text(bytes.csr) + " bytes, ELL " + Text(bytes.ell) + ", ELL is " +
         (bytes.ell_is_smaller ? "smaller" : "not smaller");
}

inline std::string Text(const HybridLayout& layout) {
  return "width " + Text(layout.width) + ", " + Text(layout.bytes) + " bytes";
}

inline std::string Text(const HaloCells& cells) {
  return "tile " + Text(cells.tile) + ", halo " + Text(cells.halo);
}

template <typename Answer>
std::string Text(const std::optional<Answer>& answer) {
  return answer ? Text(*answer) : "no value";
}

// A call's arguments, for a message.

inline std::string Text(const Launch& launch) {
  return Text(launch.threads_per_block) + " threads, " + Text(launch.registers_per_thread) +
         " registers, " + Text(launch.shared_bytes_per_block) + " bytes";
}

inline std::string Text(const WarpAccess& access) {
  std::ostringstream text;
  text << access.bytes << " bytes, active " << std::hex << access.active << std::dec
       << ", addresses";
  for (const std::uint64_t address : access.address) text << ' ' << address;
  return text.str();
}

}  // namespace performance_models
