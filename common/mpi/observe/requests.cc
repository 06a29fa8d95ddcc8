#include "common/mpi/observe/requests.h"

#include "common/mpi/observe/communicators.h"
#include "common/mpi/observe/report.h"

namespace lab::mpi {

MPI_Request StartSend(const void* buffer, const Content& content, int destination, int tag,
                      MPI_Comm communicator, bool is_synchronous) {
  const MPI_Comm own = Own(communicator);
  RecordSend(content, destination, tag, Known(own));
  MPI_Request request;
  const auto send = is_synchronous || IsStrict() ? PMPI_Issend : PMPI_Isend;
  Check(send(buffer, content.count, content.type, destination, tag, own, &request), "MPI_Send");
  return request;
}

MPI_Request StartReceive(void* buffer, const Content& content, int source, int tag,
                         MPI_Comm communicator) {
  const MPI_Comm own = Own(communicator);
  CheckReceive(content, source, tag, Known(own));
  // MPICH 4.0 would leave the status of such a receive unset.
  if (source == MPI_PROC_NULL) return MPI_REQUEST_NULL;
  MPI_Request request;
  Check(PMPI_Irecv(buffer, content.count, content.type, source, tag, own, &request), "MPI_Recv");
  return request;
}

bool TestRequest(MPI_Request& request, MPI_Status& status) {
  int is_done = 0;
  // A message that does not fit completes the request, too.
  if (PMPI_Test(&request, &is_done, &status) == MPI_SUCCESS && is_done == 0) return false;
  if (status.MPI_SOURCE == MPI_ANY_SOURCE) status.MPI_SOURCE = MPI_PROC_NULL;
  return true;
}

MPI_Status AwaitRequest(MPI_Request request, const Wait& wait) {
  MPI_Status status{};
  Await(wait, [&] { return TestRequest(request, status); });
  return status;
}

}  // namespace lab::mpi
