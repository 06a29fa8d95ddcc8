#include "common/mpi/observe/counts.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>

#include "common/mpi/observe/board.h"
#include "common/mpi/observe/rank.h"

namespace lab::mpi {
namespace {

struct Counts {
  std::uint64_t messages = 0;
  std::uint64_t message_bytes = 0;
  std::uint64_t busiest_rank_bytes = 0;
  std::uint64_t message_chain = 0;
  std::uint64_t byte_chain = 0;
  std::uint64_t collectives = 0;
  std::uint64_t collective_bytes = 0;
  std::uint64_t overlapped_bytes = 0;
};

struct Named {
  const char* name;
  std::uint64_t value;
};

Counts CountAll() {
  Counts counts;
  for (const RankState& rank :
       std::span(TheBoard().ranks).first(static_cast<std::size_t>(RankCount()))) {
    const Traffic& traffic = rank.traffic;
    std::uint64_t bytes_sent = 0;
    for (const Sent& sent : traffic.sent) {
      counts.messages += sent.messages;
      bytes_sent += sent.bytes;
    }
    counts.message_bytes += bytes_sent;
    counts.collectives += traffic.collectives;
    counts.collective_bytes += traffic.collective_bytes;
    counts.overlapped_bytes += traffic.overlapped_bytes;
    counts.busiest_rank_bytes =
        std::max(counts.busiest_rank_bytes, bytes_sent + traffic.bytes_received);
    counts.message_chain = std::max(counts.message_chain, rank.clocks.messages.End());
    counts.byte_chain = std::max(counts.byte_chain, rank.clocks.bytes.End());
  }
  return counts;
}

}  // namespace

void WriteCounts() {
  const char* const path = std::getenv("LAB_MPI_PROFILE");
  if (path == nullptr) return;
  const Counts counts = CountAll();
  const Named all[] = {
#include "common/mpi/counters.inc"
  };
  std::ofstream file(path, std::ios::trunc);
  file << R"({"schema": 1, "kernels": [], "call": {)";
  const char* separator = "";
  for (const Named& counter : all) {
    file << separator << '"' << counter.name << "\": " << counter.value;
    separator = ", ";
  }
  file << "}}\n";
}

}  // namespace lab::mpi
