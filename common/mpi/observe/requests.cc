#include "common/mpi/observe/requests.h"

#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "common/mpi/observe/overlap.h"
#include "common/mpi/observe/rank.h"
#include "common/mpi/observe/report.h"

namespace lab::mpi {
namespace {

// A request that the student holds.
struct Pending {
  MPI_Request own;  // MPI's, which gives sends that are complete at once one handle
  bool is_receive;
  Content content;
  MPI_Comm communicator;
  void* buffer;
  Wait wait;
  int line;
  std::size_t hash = 0;            // of the buffer when it began
  std::vector<std::byte> arrived;  // where a receive's message goes until it is complete
};

// By the handles that the student gets, in the order in which the requests began.
std::map<MPI_Request, Pending> pending;

// Whether the type is a basic one whose elements lie side by side, without room in them.
bool IsContiguous(MPI_Datatype type) {
  int integers, addresses, types, combiner;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  int size = 0;
  MPI_Aint begin = 0;
  MPI_Aint extent = 0;
  PMPI_Type_size(type, &size);
  PMPI_Type_get_extent(type, &begin, &extent);
  return combiner == MPI_COMBINER_NAMED && extent == size;
}

std::size_t HashOf(const void* buffer, const Content& content, MPI_Comm communicator) {
  std::vector<char> packed;
  std::string_view bytes(static_cast<const char*>(buffer), content.Bytes());
  if (!IsContiguous(content.type)) {
    int size = 0;
    PMPI_Pack_size(content.count, content.type, communicator, &size);
    packed.resize(static_cast<std::size_t>(size));
    int used = 0;
    PMPI_Pack(buffer, content.count, content.type, packed.data(), size, &used, communicator);
    bytes = {packed.data(), static_cast<std::size_t>(used)};
  }
  return std::hash<std::string_view>()(bytes);
}

void ReportChange(const Pending& request) {
  Report("changed_in_flight",
         "the buffer that " + std::string(request.wait.name) + "() at " + PlaceOf(request.line) +
             " starts to " + (request.is_receive ? "receive into" : "send") +
             " is written before that request is complete at " + PlaceOf(CurrentLine()));
}

// What is left to do for a request that MPI has completed.
void Finish(Pending& request, const MPI_Status& status) {
  const std::size_t hash = HashOf(request.buffer, request.content, request.communicator);
  if (hash != request.hash && (!request.is_receive || !request.arrived.empty())) {
    ReportChange(request);
  }
  if (!request.is_receive) return;
  RecordReceive(request.content, status, Known(request.communicator));
  if (request.arrived.empty()) return;
  int bytes = 0;
  PMPI_Get_count(&status, MPI_BYTE, &bytes);
  memcpy(request.buffer, request.arrived.data(), static_cast<std::size_t>(bytes));
}

bool TestOne(MPI_Request& request, MPI_Status& status) {
  int is_done = 0;
  if (request == MPI_REQUEST_NULL) {
    PMPI_Test(&request, &is_done, &status);
    return true;
  }
  const auto found = pending.find(request);
  if (found == pending.end()) ReportBadArgument("no request that is under way");
  const int code = PMPI_Test(&found->second.own, &is_done, &status);
  if (is_done == 0 && code == MPI_SUCCESS) return false;
  request = MPI_REQUEST_NULL;
  Pending done = std::move(found->second);
  pending.erase(found);
  Finish(done, status);
  NoteEvent();
  return true;
}

Wait WaitOf(MPI_Request request, const char* name) {
  const auto found = pending.find(request);
  return found == pending.end() ? Wait{name}
                                : Wait{name, found->second.wait.peer, found->second.wait.tag};
}

int Begin(Pending request, MPI_Request own, MPI_Request* out) {
  constexpr int kFirst = 0x10000000;  // no handle of MPI's
  static int begun = 0;
  request.own = own;
  *out = kFirst + begun++ % kFirst;
  pending.emplace(*out, std::move(request));
  return MPI_SUCCESS;
}

bool IsDone(MPI_Request request) {
  const auto found = pending.find(request);
  if (found == pending.end()) return true;
  int is_done = 0;
  PMPI_Request_get_status(found->second.own, &is_done, MPI_STATUS_IGNORE);
  return is_done != 0;
}

int BeginSend(const void* buffer, const Content& content, int destination, int tag,
              MPI_Comm communicator, bool is_synchronous, const char* name, MPI_Request* out) {
  const MPI_Comm own = Own(communicator);
  const MPI_Request request = StartSend(buffer, content, destination, tag, own, is_synchronous);
  return Begin({MPI_REQUEST_NULL,
                false,
                content,
                own,
                const_cast<void*>(buffer),
                Wait{name, InWorld(destination, Known(own)), tag},
                CurrentLine(),
                HashOf(buffer, content, own),
                {}},
               request, out);
}

}  // namespace

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
  MPI_Request request;
  Check(PMPI_Irecv(buffer, content.count, content.type, source, tag, own, &request), "MPI_Recv");
  return request;
}

MPI_Status AwaitRequest(MPI_Request request, const Wait& wait) {
  MPI_Status status{};
  Await(wait, [&] {
    int is_done = 0;
    // A message that does not fit completes the request, too.
    return PMPI_Test(&request, &is_done, &status) != MPI_SUCCESS || is_done != 0;
  });
  return status;
}

void ReportUnfinished() {
  if (pending.empty()) return;
  const Pending& first = pending.begin()->second;
  Report("unfinished", "the request that " + std::string(first.wait.name) + "() starts at " +
                           PlaceOf(first.line) + " is never completed: rank " +
                           std::to_string(MyRank()) + " returns without a wait for it");
}

}  // namespace lab::mpi

using lab::mpi::Await;
using lab::mpi::BeginSend;
using lab::mpi::CurrentLine;
using lab::mpi::IsWorking;
using lab::mpi::Known;
using lab::mpi::Own;
using lab::mpi::TestOne;
using lab::mpi::WaitOf;

extern "C" {

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
              MPI_Comm communicator, MPI_Request* request) {
  return BeginSend(buffer, {count, type}, destination, tag, communicator, false, "MPI_Isend",
                   request);
}

int MPI_Issend(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
               MPI_Comm communicator, MPI_Request* request) {
  return BeginSend(buffer, {count, type}, destination, tag, communicator, true, "MPI_Issend",
                   request);
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag,
              MPI_Comm communicator, MPI_Request* request) {
  const MPI_Comm own = Own(communicator);
  const lab::mpi::Content content{count, type};
  lab::mpi::CheckReceive(content, source, tag, Known(own));
  lab::mpi::Pending receive{MPI_REQUEST_NULL,
                            true,
                            content,
                            own,
                            buffer,
                            lab::mpi::Wait{"MPI_Irecv", lab::mpi::InWorld(source, Known(own)), tag},
                            CurrentLine(),
                            lab::mpi::HashOf(buffer, content, own),
                            {}};
  if (lab::mpi::IsContiguous(type)) receive.arrived.resize(content.Bytes());
  void* const target = receive.arrived.empty() ? buffer : receive.arrived.data();
  const MPI_Request started = lab::mpi::StartReceive(target, content, source, tag, own);
  return lab::mpi::Begin(std::move(receive), started, request);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  MPI_Status own{};
  Await(WaitOf(*request, "MPI_Wait"), [&] { return TestOne(*request, own); });
  if (status != MPI_STATUS_IGNORE) *status = own;
  return MPI_SUCCESS;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  for (int i = 0; i < count; ++i) {
    MPI_Status own{};
    Await(WaitOf(requests[i], "MPI_Waitall"), [&] { return TestOne(requests[i], own); });
    if (statuses != MPI_STATUSES_IGNORE) statuses[i] = own;
  }
  return MPI_SUCCESS;
}

int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  const std::span all(requests, static_cast<std::size_t>(count));
  *index = MPI_UNDEFINED;
  if (std::ranges::count(all, MPI_REQUEST_NULL) == count) return MPI_SUCCESS;
  MPI_Status own{};
  Await({"MPI_Waitany"}, [&] {
    for (int i = 0; i < count; ++i) {
      if (requests[i] == MPI_REQUEST_NULL || !TestOne(requests[i], own)) continue;
      *index = i;
      return true;
    }
    return false;
  });
  if (status != MPI_STATUS_IGNORE) *status = own;
  return MPI_SUCCESS;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  MPI_Status own{};
  *flag = !IsWorking() && TestOne(*request, own) ? 1 : 0;
  if (*flag == 0) sched_yield();
  if (*flag != 0 && status != MPI_STATUS_IGNORE) *status = own;
  return MPI_SUCCESS;
}

int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  const std::span all(requests, static_cast<std::size_t>(count));
  *flag = !IsWorking() && std::ranges::all_of(all, lab::mpi::IsDone) ? 1 : 0;
  if (*flag == 0) sched_yield();
  for (int i = 0; i < count && *flag != 0; ++i) {
    MPI_Status own{};
    TestOne(requests[i], own);
    if (statuses != MPI_STATUSES_IGNORE) statuses[i] = own;
  }
  return MPI_SUCCESS;
}

}  // extern "C"
