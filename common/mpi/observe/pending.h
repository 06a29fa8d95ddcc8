#pragma once

// The requests that a student's program holds.

#include <mpi.h>

#include "common/mpi/observe/messages.h"
#include "common/mpi/observe/rank.h"

namespace lab::mpi {

// A send or receive that does not block.
struct Operation {
  const char* name;  // of the function that begins it
  bool is_receive;
  bool is_synchronous;
  void* buffer;
  Content content;
  int peer;  // a rank of the communicator
  int tag;
  MPI_Comm communicator;
};

// Starts the operation and returns its request, which ends with it.
MPI_Request Begin(const Operation& operation);

// Returns a persistent request: StartAgain() starts its operation, as often as wanted.
MPI_Request Prepare(const Operation& operation);
void StartAgain(MPI_Request request);

// Ends a persistent request that is not under way, and sets it to MPI_REQUEST_NULL.
void Free(MPI_Request& request);

// Whether an operation is under way; not of MPI_REQUEST_NULL and of persistent requests between
// their starts.
bool IsUnderWay(MPI_Request request);

// Whether waiting for it would return at once.
bool IsDone(MPI_Request request);

// Completes the request if its operation is done, checks its buffer, and returns true. True with an
// empty status for what is not under way.
bool TestOne(MPI_Request& request, MPI_Status& status);

// What a function of that name waits for, if it waits for this request.
Wait WaitOf(MPI_Request request, const char* name);

// Reports a request of the call that was never completed; forgets the others.
void ReportUnfinished();

}  // namespace lab::mpi
