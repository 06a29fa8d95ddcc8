#pragma once

// Messages from rank to rank, as the board records them.

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>

#include "common/mpi/observe/board.h"
#include "common/mpi/observe/communicators.h"

namespace lab::mpi {

// What a buffer holds: `count` elements of a type.
struct Content {
  int count;
  MPI_Datatype type;

  std::uint64_t Bytes() const;
};

// Records a message to `destination`, a rank of the communicator, before it is sent. None for
// MPI_PROC_NULL. Reports arguments that no message may have.
void RecordSend(const Content& content, int destination, int tag, const Communicator& to);

// The message has come: takes it from the board, and reports one whose elements are of another type
// than those received. `status` is that of the receive.
void RecordReceive(const Content& content, const MPI_Status& status, const Communicator& from);

// Checks the arguments of a receive.
void CheckReceive(const Content& content, int source, int tag, const Communicator& from);

// The source, a rank of the communicator, whose message a receive from MPI_ANY_SOURCE takes in this
// schedule: one of those that are under way once no other rank can go on, or soon. Strict runs
// only.
int ChooseSource(int tag, MPI_Comm communicator, const char* name);

// Sets this rank's clocks to that position.
void MovePortsTo(std::uint64_t messages, std::uint64_t bytes);

// Reports a message that no rank has received. When all have returned.
void ReportUnreceived();

// Waits until all ranks of the call are here.
void Rendezvous();

}  // namespace lab::mpi
