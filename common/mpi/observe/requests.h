#pragma once

// Sends and receives of MPI's own.

#include <mpi.h>

#include "common/mpi/observe/messages.h"
#include "common/mpi/observe/rank.h"

namespace lab::mpi {

// Records and starts a send; `is_synchronous`: it ends when its message is received.
MPI_Request StartSend(const void* buffer, const Content& content, int destination, int tag,
                      MPI_Comm communicator, bool is_synchronous);

// Checks and starts a receive, which is to be recorded when its message has come.
MPI_Request StartReceive(void* buffer, const Content& content, int source, int tag,
                         MPI_Comm communicator);

// Whether a request of MPI's own is done, with its status. MPI_REQUEST_NULL, a receive from
// MPI_PROC_NULL, is.
bool TestRequest(MPI_Request& request, MPI_Status& status);

// Waits for a request of MPI's own.
MPI_Status AwaitRequest(MPI_Request request, const Wait& wait);

}  // namespace lab::mpi
