#pragma once

// Sends and receives under way.

#include <mpi.h>

#include "common/mpi/observe/messages.h"
#include "common/mpi/observe/rank.h"

namespace lab::mpi {

// Starts a send of MPI's own; `is_synchronous`: it ends when its message is received.
MPI_Request StartSend(const void* buffer, const Content& content, int destination, int tag,
                      MPI_Comm communicator, bool is_synchronous);

// Starts a receive of MPI's own.
MPI_Request StartReceive(void* buffer, const Content& content, int source, int tag,
                         MPI_Comm communicator);

// Waits for a request that no table knows. `status` may be MPI_STATUS_IGNORE.
MPI_Status AwaitRequest(MPI_Request request, const Wait& wait);

// Reports a request of the call that was never completed.
void ReportUnfinished();

}  // namespace lab::mpi
