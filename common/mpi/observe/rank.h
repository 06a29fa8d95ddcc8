#pragma once

// The rank that this process is, and its waits.

#include <functional>
#include <span>

#include "common/lab/call/call.h"
#include "common/mpi/observe/board.h"

namespace lab::mpi {

// What a blocking function waits for, for a report of a deadlock.
struct Wait {
  const char* name;
  int peer = -1;  // rank in the world; -1: anybody, or all
  int tag = -1;
};

// Of this process. -1 outside of a call.
int MyRank();
// Ranks of the current call.
int RankCount();
RankState& Me();

// The line of the student's call that is under way.
int CurrentLine();

// Whether sends only return when their message is received, and messages for MPI_ANY_SOURCE come in
// an order that the seed chooses.
bool IsStrict();
// From LAB_MPI_SCHEDULE.
std::uint64_t ScheduleSeed();

// Something happened that may let a blocked rank go on.
void NoteEvent();

// Lets other processes have the core; for longer, the more polls were in vain.
void Pause(std::uint64_t polls);

// Polls until is_done(). Reports a deadlock if no rank can go on.
void Await(const Wait& wait, const std::function<bool()>& is_done);

// This process is that rank of all that were launched.
void SetRank(int rank);

// Around one call of the lab's function, which `ranks` make; the arguments are this rank's.
void BeginCall(int ranks, bool is_strict, std::span<const Argument> arguments);
// Waits until all ranks have returned. Reports what the call has left behind.
void EndCall();

}  // namespace lab::mpi
