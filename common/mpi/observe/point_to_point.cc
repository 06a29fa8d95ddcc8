// Blocking sends and receives: each is a request of MPI's own that is polled, so that a rank that
// waits leaves its core to others and a deadlock is seen.

#include <mpi.h>
#include <sched.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "common/mpi/observe/communicators.h"
#include "common/mpi/observe/messages.h"
#include "common/mpi/observe/overlap.h"
#include "common/mpi/observe/rank.h"
#include "common/mpi/observe/report.h"
#include "common/mpi/observe/requests.h"

namespace lab::mpi {
namespace {

int Send(const void* buffer, const Content& content, int destination, int tag,
         MPI_Comm communicator, bool is_synchronous, const char* name) {
  const MPI_Request request =
      StartSend(buffer, content, destination, tag, communicator, is_synchronous);
  AwaitRequest(request, {name, InWorld(destination, Known(communicator)), tag});
  return MPI_SUCCESS;
}

int ScheduledSource(int source, int tag, MPI_Comm communicator, const char* name) {
  if (source != MPI_ANY_SOURCE || !IsStrict()) return source;
  return ChooseSource(tag, communicator, name);
}

// The memory from the first byte of the first element to the last byte of the last one.
struct Extent {
  const std::byte* begin;
  std::size_t bytes;

  Extent(const void* buffer, const Content& content) {
    MPI_Aint lower = 0;
    MPI_Aint stride = 0;
    MPI_Aint first = 0;
    MPI_Aint size = 0;
    PMPI_Type_get_extent(content.type, &lower, &stride);
    PMPI_Type_get_true_extent(content.type, &first, &size);
    begin = static_cast<const std::byte*>(buffer) + first;
    bytes = content.count <= 0 ? 0 : static_cast<std::size_t>((content.count - 1) * stride + size);
  }
};

// Only of elements that lie side by side: a column may lie between the elements of another.
void CheckApart(const void* sent_buffer, const Content& sent_content, const void* received_buffer,
                const Content& received_content) {
  const Extent sent(sent_buffer, sent_content);
  const Extent received(received_buffer, received_content);
  if (sent.bytes == 0 || received.bytes == 0 || sent.bytes != sent_content.Bytes() ||
      received.bytes != received_content.Bytes()) {
    return;
  }
  if (sent.begin + sent.bytes <= received.begin || received.begin + received.bytes <= sent.begin) {
    return;
  }
  Report("aliased_buffers",
         "the buffers of MPI_Sendrecv() at " + PlaceOf(CurrentLine()) + " overlap");
}

struct Partner {
  int rank;
  int tag;
};

MPI_Status Exchange(const void* sent, const Content& sent_content, const Partner& to,
                    void* received, const Content& content, const Partner& from,
                    MPI_Comm communicator, const char* name) {
  const MPI_Request send = StartSend(sent, sent_content, to.rank, to.tag, communicator, false);
  if (from.rank != MPI_PROC_NULL) NoteReceive();
  const int chosen = ScheduledSource(from.rank, from.tag, communicator, name);
  const MPI_Request receive = StartReceive(received, content, chosen, from.tag, communicator);
  const Communicator& known = Known(communicator);
  const MPI_Status status = AwaitRequest(receive, {name, InWorld(chosen, known), from.tag});
  RecordReceive(content, status, known);
  AwaitRequest(send, {name, InWorld(to.rank, known), to.tag});
  return status;
}

void Give(const MPI_Status& from, MPI_Status* to) {
  if (to != MPI_STATUS_IGNORE) *to = from;
}

}  // namespace
}  // namespace lab::mpi

using lab::mpi::Content;
using lab::mpi::Known;
using lab::mpi::Own;

extern "C" {

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
             MPI_Comm communicator) {
  return lab::mpi::Send(buffer, {count, type}, destination, tag, communicator, false, "MPI_Send");
}

int MPI_Ssend(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
              MPI_Comm communicator) {
  return lab::mpi::Send(buffer, {count, type}, destination, tag, communicator, true, "MPI_Ssend");
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm communicator,
             MPI_Status* status) {
  const Content content{count, type};
  lab::mpi::CheckReceive(content, source, tag, Known(communicator));
  if (source != MPI_PROC_NULL) lab::mpi::NoteReceive();
  const int chosen = lab::mpi::ScheduledSource(source, tag, communicator, "MPI_Recv");
  const MPI_Request request = lab::mpi::StartReceive(buffer, content, chosen, tag, communicator);
  const MPI_Status own = lab::mpi::AwaitRequest(
      request, {"MPI_Recv", lab::mpi::InWorld(chosen, Known(communicator)), tag});
  lab::mpi::RecordReceive(content, own, Known(communicator));
  lab::mpi::Give(own, status);
  return MPI_SUCCESS;
}

int MPI_Sendrecv(const void* sent, int sent_count, MPI_Datatype sent_type, int destination,
                 int sent_tag, void* received, int received_count, MPI_Datatype received_type,
                 int source, int received_tag, MPI_Comm communicator, MPI_Status* status) {
  const Content sent_content{sent_count, sent_type};
  const Content content{received_count, received_type};
  if (destination != MPI_PROC_NULL && source != MPI_PROC_NULL) {
    lab::mpi::CheckApart(sent, sent_content, received, content);
  }
  const MPI_Status own =
      lab::mpi::Exchange(sent, sent_content, {destination, sent_tag}, received, content,
                         {source, received_tag}, communicator, "MPI_Sendrecv");
  lab::mpi::Give(own, status);
  return MPI_SUCCESS;
}

int MPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype type, int destination, int sent_tag,
                         int source, int received_tag, MPI_Comm communicator, MPI_Status* status) {
  const Content content{count, type};
  const lab::mpi::Extent extent(buffer, content);
  const std::vector<std::byte> copy(extent.begin, extent.begin + extent.bytes);
  const std::byte* const sent =
      copy.data() - (extent.begin - static_cast<const std::byte*>(buffer));
  const MPI_Status own =
      lab::mpi::Exchange(sent, content, {destination, sent_tag}, buffer, content,
                         {source, received_tag}, communicator, "MPI_Sendrecv_replace");
  lab::mpi::Give(own, status);
  return MPI_SUCCESS;
}

int MPI_Probe(int source, int tag, MPI_Comm communicator, MPI_Status* status) {
  lab::mpi::CheckReceive({0, MPI_BYTE}, source, tag, Known(communicator));
  const int chosen = lab::mpi::ScheduledSource(source, tag, communicator, "MPI_Probe");
  MPI_Status own{};
  lab::mpi::Await({"MPI_Probe", lab::mpi::InWorld(chosen, Known(communicator)), tag}, [&] {
    int is_there = 0;
    PMPI_Iprobe(chosen, tag, Own(communicator), &is_there, &own);
    return is_there != 0;
  });
  if (source != MPI_PROC_NULL) lab::mpi::NoteReceive();
  lab::mpi::Give(own, status);
  return MPI_SUCCESS;
}

int MPI_Iprobe(int source, int tag, MPI_Comm communicator, int* flag, MPI_Status* status) {
  lab::mpi::CheckReceive({0, MPI_BYTE}, source, tag, Known(communicator));
  *flag = 0;
  if (!lab::mpi::IsWorking()) PMPI_Iprobe(source, tag, Own(communicator), flag, status);
  if (*flag != 0 && source != MPI_PROC_NULL) lab::mpi::NoteReceive();
  if (*flag == 0) sched_yield();
  return MPI_SUCCESS;
}

}  // extern "C"
