#pragma once

// What the ranks know of each other: memory that all of them share, made before they start.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "common/mpi/launch/launch.h"

namespace lab::mpi {

// When a rank could be where it is if messages cost time and nothing else did: its position on the
// longest chain of messages that wait for each other. In the postal model with one port a rank
// sends one message at a time, receives one at a time, and does both at once (Bar-Noy, Kipnis:
// "Designing Broadcasting Algorithms in the Postal Model", SPAA 1992).
struct PortClock {
  std::uint64_t now;   // the rank
  std::uint64_t sent;  // its port for sending is free
  std::uint64_t received;

  // A message that costs so much; returns when it arrives.
  std::uint64_t Send(std::uint64_t cost) { return sent = (sent > now ? sent : now) + cost; }
  // `ready`: when the rank has one message; `last`: when its port has received all so far.
  void Receive(std::uint64_t ready, std::uint64_t last) {
    received = last;
    if (now < ready) now = ready;
  }
  std::uint64_t End() const {
    const std::uint64_t ports = sent > received ? sent : received;
    return now > ports ? now : ports;
  }
  void MoveTo(std::uint64_t time) { now = sent = received = time; }
};

struct Clocks {
  PortClock messages;
  PortClock bytes;
};

// A message that was sent and not yet received.
struct Message {
  int context;  // of the communicator
  int source;   // in the world, as all ranks on the board
  int destination;
  int tag;
  int line;
  bool is_floating;
  std::uint32_t element_bytes;  // of the basic type; 0: several, or unknown
  std::uint64_t bytes;
  std::uint64_t arrives;  // by PortClock
  std::uint64_t arrives_bytes;
};

// A collective operation that some rank of the communicator has begun and not all have ended.
struct Collective {
  int context;
  int number;  // in the communicator, from 1; 0: the entry is free
  int begun;
  int ended;
  int first;  // the rank that began it first
  int line;
  int root;  // in the world; -1: none
  const char* name;
  std::uint64_t bytes;
  std::uint64_t latest;  // of those who began it, by PortClock
  std::uint64_t latest_bytes;
};

enum class Activity : std::uint32_t { kOutside, kRunning, kBlocked, kReturned };

struct Sent {
  std::uint64_t messages;
  std::uint64_t bytes;
};

struct Traffic {
  std::array<Sent, kMaxRanks> sent;  // to each rank
  std::uint64_t bytes_received;
  std::uint64_t collectives;
  std::uint64_t collective_bytes;
  std::uint64_t overlapped_bytes;
};

struct RankState {
  std::atomic<Activity> activity;
  std::atomic<std::uint64_t> seen;             // of the board's events
  std::atomic<std::uint64_t> fruitless_polls;  // since then
  const char* name;                            // of the function in which it is blocked
  int line;
  int peer;  // whom it waits for; -1: anybody, or the communicator
  int tag;   // -1: any
  Clocks clocks;
  Traffic traffic;
};

inline constexpr std::size_t kMaxMessages = 1 << 14;
inline constexpr std::size_t kMaxCollectives = 64;

struct Board {
  std::atomic<std::uint32_t> lock;
  std::atomic<std::uint32_t> finding;   // 1: a report is being written, the last one
  std::atomic<std::uint64_t> events;    // whatever may let a blocked rank go on
  std::atomic<std::uint32_t> call;      // number of the current one
  std::atomic<std::uint32_t> returned;  // ranks that have ended it
  std::array<RankState, kMaxRanks> ranks;
  std::array<Collective, kMaxCollectives> collectives;
  std::size_t message_count;
  std::array<Message, kMaxMessages> messages;
};

// The memory; made at the first call, which must come before the ranks start. Throws
// std::runtime_error where there is none.
Board& TheBoard();

// To its first state, while there are no ranks.
void ResetBoard();

// Holds the board's lock while it lives.
class BoardLock {
 public:
  BoardLock();
  ~BoardLock();
  BoardLock(const BoardLock&) = delete;
  BoardLock& operator=(const BoardLock&) = delete;
};

}  // namespace lab::mpi
