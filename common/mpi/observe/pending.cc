#include "common/mpi/observe/pending.h"

#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/mpi/observe/communicators.h"
#include "common/mpi/observe/report.h"
#include "common/mpi/observe/requests.h"

namespace lab::mpi {
namespace {

struct Pending {
  Operation operation{};
  bool is_persistent = false;
  bool is_under_way = false;
  MPI_Request own = MPI_REQUEST_NULL;  // MPI's, which gives sends that are complete at once one
                                       // handle
  int line = 0;                        // of its start
  std::size_t hash = 0;                // of the buffer when it began
  std::vector<std::byte> arrived;      // where a receive's message goes until it is complete
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

std::size_t HashOf(const Operation& operation) {
  const Content& content = operation.content;
  std::vector<char> packed;
  std::string_view bytes(static_cast<const char*>(operation.buffer), content.Bytes());
  if (!IsContiguous(content.type)) {
    int size = 0;
    PMPI_Pack_size(content.count, content.type, operation.communicator, &size);
    packed.resize(static_cast<std::size_t>(size));
    int used = 0;
    PMPI_Pack(operation.buffer, content.count, content.type, packed.data(), size, &used,
              operation.communicator);
    bytes = {packed.data(), static_cast<std::size_t>(used)};
  }
  return std::hash<std::string_view>()(bytes);
}

void Start(Pending& request) {
  const Operation& operation = request.operation;
  request.line = CurrentLine();
  if (operation.is_receive) {
    CheckReceive(operation.content, operation.peer, operation.tag, Known(operation.communicator));
    request.hash = HashOf(operation);
    if (IsContiguous(operation.content.type)) request.arrived.resize(operation.content.Bytes());
    void* const target = request.arrived.empty() ? operation.buffer : request.arrived.data();
    request.own = StartReceive(target, operation.content, operation.peer, operation.tag,
                               operation.communicator);
  } else {
    request.own = StartSend(operation.buffer, operation.content, operation.peer, operation.tag,
                            operation.communicator, operation.is_synchronous);
    request.hash = HashOf(operation);
  }
  request.is_under_way = true;
}

void ReportChange(const Pending& request) {
  const Operation& operation = request.operation;
  Report("changed_in_flight",
         "the buffer that " + std::string(operation.name) + "() at " + PlaceOf(request.line) +
             " starts to " + (operation.is_receive ? "receive into" : "send") +
             " is written before that request is complete at " + PlaceOf(CurrentLine()));
}

// What is left to do for a request that MPI has completed.
void Finish(Pending& request, const MPI_Status& status) {
  const Operation& operation = request.operation;
  const bool is_checked = !operation.is_receive || !request.arrived.empty();
  if (is_checked && HashOf(operation) != request.hash) ReportChange(request);
  if (!operation.is_receive) return;
  RecordReceive(operation.content, status, Known(operation.communicator));
  if (request.arrived.empty()) return;
  int bytes = 0;
  PMPI_Get_count(&status, MPI_BYTE, &bytes);
  memcpy(operation.buffer, request.arrived.data(), static_cast<std::size_t>(bytes));
}

Pending& Find(MPI_Request request) {
  const auto found = pending.find(request);
  if (found == pending.end()) ReportBadArgument("no request that is under way");
  return found->second;
}

MPI_Request Add(const Operation& operation, bool is_persistent) {
  constexpr int kFirst = 0x10000000;  // no handle of MPI's
  static int begun = 0;
  const MPI_Request handle = kFirst + begun++ % kFirst;
  Pending& request = pending[handle];
  request.operation = operation;
  request.operation.communicator = Own(operation.communicator);
  request.is_persistent = is_persistent;
  return handle;
}

}  // namespace

MPI_Request Begin(const Operation& operation) {
  const MPI_Request request = Add(operation, false);
  Start(pending[request]);
  return request;
}

MPI_Request Prepare(const Operation& operation) { return Add(operation, true); }

void StartAgain(MPI_Request request) {
  Pending& found = Find(request);
  if (!found.is_persistent || found.is_under_way) {
    ReportBadArgument("no persistent request that is not under way");
  }
  Start(found);
}

void Free(MPI_Request& request) {
  Pending& found = Find(request);
  if (found.is_under_way) ReportBadArgument("a request that is under way");
  pending.erase(request);
  request = MPI_REQUEST_NULL;
}

bool IsUnderWay(MPI_Request request) {
  return request != MPI_REQUEST_NULL && Find(request).is_under_way;
}

bool IsDone(MPI_Request request) {
  if (!IsUnderWay(request)) return true;
  int is_done = 0;
  PMPI_Request_get_status(Find(request).own, &is_done, MPI_STATUS_IGNORE);
  return is_done != 0;
}

bool TestOne(MPI_Request& request, MPI_Status& status) {
  if (!IsUnderWay(request)) {
    int is_done = 0;
    MPI_Request none = MPI_REQUEST_NULL;
    PMPI_Test(&none, &is_done, &status);
    return true;
  }
  Pending& found = Find(request);
  if (!TestRequest(found.own, status)) return false;
  found.is_under_way = false;
  Finish(found, status);
  if (!found.is_persistent) {
    pending.erase(request);
    request = MPI_REQUEST_NULL;
  }
  NoteEvent();
  return true;
}

Wait WaitOf(MPI_Request request, const char* name) {
  if (!IsUnderWay(request)) return {name};
  const Operation& operation = Find(request).operation;
  return {name, InWorld(operation.peer, Known(operation.communicator)), operation.tag};
}

void ReportUnfinished() {
  for (const auto& [handle, request] : pending) {
    if (!request.is_under_way) continue;
    Report("unfinished", "the request that " + std::string(request.operation.name) +
                             "() starts at " + PlaceOf(request.line) +
                             " is never completed: rank " + std::to_string(MyRank()) +
                             " returns without a wait for it");
  }
  pending.clear();
}

}  // namespace lab::mpi
