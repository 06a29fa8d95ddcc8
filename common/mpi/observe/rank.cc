#include "common/mpi/observe/rank.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/lab/exports/ranks.h"
#include "common/mpi/mpi.h"
#include "common/mpi/observe/communicators.h"
#include "common/mpi/observe/counts.h"
#include "common/mpi/observe/messages.h"
#include "common/mpi/observe/overlap.h"
#include "common/mpi/observe/pending.h"
#include "common/mpi/observe/report.h"

namespace lab::mpi {
namespace {

int rank = -1;
int rank_count = 0;
bool is_strict = false;
int line = 0;

constexpr std::uint64_t kEagerPolls = 20;
// The longer nothing has come, the less it matters when it is seen.
constexpr std::uint64_t kLongestPauseMicroseconds = 500;
// A rank that polled so often, and so long after the last event, has seen whatever was sent to it.
constexpr std::uint64_t kStuckPolls = 200;
constexpr std::int64_t kStuckNanoseconds = 1'000'000'000;

std::int64_t Now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// Whether no rank can go on: each has polled often since the last event, which it has seen.
bool AllAreStuck(std::uint64_t last_event) {
  for (int each = 0; each < rank_count; ++each) {
    const RankState& state = TheBoard().ranks[static_cast<std::size_t>(each)];
    const Activity activity = state.activity.load();
    if (activity == Activity::kReturned) continue;
    if (activity != Activity::kBlocked || state.fruitless_polls.load() < kStuckPolls ||
        state.seen.load() != last_event) {
      return false;
    }
  }
  return true;
}

std::string Describe(int each, const RankState& state) {
  std::string text =
      "rank " + std::to_string(each) + " waits in " + state.name + "() at " + PlaceOf(state.line);
  if (state.peer >= 0) text += " for rank " + std::to_string(state.peer);
  if (state.peer >= 0 && state.tag >= 0) text += ", tag " + std::to_string(state.tag);
  return text;
}

[[noreturn]] void ReportDeadlock() {
  std::vector<std::string> rows;
  for (int each = 0; each < rank_count; ++each) {
    const RankState& state = TheBoard().ranks[static_cast<std::size_t>(each)];
    rows.push_back(state.activity.load() == Activity::kBlocked
                       ? Describe(each, state)
                       : "rank " + std::to_string(each) + " has returned");
  }
  Report("stuck_ranks",
         IsStrict() ? "no rank can go on, as a send need not return before its message is received"
                    : "no rank can go on",
         rows);
}

}  // namespace

int MyRank() { return rank; }
int RankCount() { return rank_count; }
RankState& Me() { return TheBoard().ranks[static_cast<std::size_t>(rank)]; }
int CurrentLine() { return line; }

std::uint64_t ScheduleSeed() {
  static const std::uint64_t seed = [] {
    const char* const text = getenv("LAB_MPI_SCHEDULE");
    return text == nullptr ? 0 : strtoull(text, nullptr, 10);
  }();
  return seed;
}

bool IsStrict() { return is_strict; }

void NoteEvent() { TheBoard().events.fetch_add(1); }

void Pause(std::uint64_t polls) {
  if (polls < kEagerPolls) {
    sched_yield();
  } else {
    usleep(static_cast<useconds_t>(std::min(5 * polls, kLongestPauseMicroseconds)));
  }
}

void Await(const Wait& wait, const std::function<bool()>& is_done) {
  if (is_done()) return NoteEvent();
  RankState& me = Me();
  me.name = wait.name;
  me.line = line;
  me.peer = wait.peer;
  me.tag = wait.tag;
  std::uint64_t seen = TheBoard().events.load();
  me.fruitless_polls = 0;
  me.seen = seen;
  me.activity = Activity::kBlocked;
  std::int64_t since = Now();
  for (std::uint64_t polls = 0; !is_done(); ++polls) {
    Pause(polls);
    if (TheBoard().events.load() != seen) {
      seen = TheBoard().events.load();
      since = Now();
      me.fruitless_polls = 0;
      me.seen = seen;
    } else if (me.fruitless_polls.fetch_add(1) % 64 == 63 && AllAreStuck(seen) &&
               Now() - since >= kStuckNanoseconds && TheBoard().events.load() == seen) {
      ReportDeadlock();
    }
  }
  me.activity = Activity::kRunning;
  NoteEvent();
}

void SetRank(int value) { rank = value; }

void BeginCall(int ranks, bool strict, std::span<const Argument> arguments) {
  rank_count = ranks;
  is_strict = strict;
  RankState& me = Me();
  MovePortsTo(0, 0);
  me.traffic = {};
  WatchOutputs(arguments);
  UseRanks(ranks);
  // None begins before all have zeroed their counters.
  Rendezvous();
  me.activity = Activity::kRunning;
}

void EndCall() {
  line = 0;
  ReportUnfinished();
  Me().traffic.overlapped_bytes = OverlappedBytes();
  Me().activity = Activity::kReturned;
  NoteEvent();
  Rendezvous();
  ReportUnreceived();
  if (rank == 0) WriteCounts();
  Rendezvous();
  if (rank == 0) TheBoard().message_count = 0;
  FreeCommunicators();
  Me().activity = Activity::kOutside;
}

}  // namespace lab::mpi

extern "C" {

void labMpiLine(int value) { lab::mpi::line = value; }

void labBeginRanks(std::uint32_t ranks, std::uint32_t strict, const lab::Argument* arguments,
                   std::size_t count) {
  lab::mpi::BeginCall(static_cast<int>(ranks), strict != 0, {arguments, count});
}

void labEndRanks() { lab::mpi::EndCall(); }

}  // extern "C"
