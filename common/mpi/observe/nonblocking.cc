// Sends and receives that do not block, and waits for them.

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "common/mpi/observe/overlap.h"
#include "common/mpi/observe/pending.h"
#include "common/mpi/observe/rank.h"

namespace lab::mpi {
namespace {

constexpr bool kSends = false;
constexpr bool kReceives = true;
constexpr bool kSynchronous = true;
constexpr bool kStandard = false;

// A buffer that is only read.
void* Buffer(const void* buffer) { return const_cast<void*>(buffer); }

std::span<MPI_Request> All(int count, MPI_Request requests[]) {
  return {requests, static_cast<std::size_t>(count)};
}

bool AnyUnderWay(int count, MPI_Request requests[]) {
  return std::ranges::any_of(All(count, requests), IsUnderWay);
}

// Completes one request that is done and returns its place, or -1.
int TakeOne(int count, MPI_Request requests[], MPI_Status& status) {
  for (int i = 0; i < count; ++i) {
    if (IsUnderWay(requests[i]) && TestOne(requests[i], status)) return i;
  }
  return -1;
}

// Completes all that are done; returns how many.
int TakeSome(int count, MPI_Request requests[], int indices[], MPI_Status statuses[]) {
  int taken = 0;
  for (int i = 0; i < count; ++i) {
    MPI_Status own{};
    if (!IsUnderWay(requests[i]) || !TestOne(requests[i], own)) continue;
    if (statuses != MPI_STATUSES_IGNORE) statuses[taken] = own;
    indices[taken++] = i;
  }
  return taken;
}

void Give(const MPI_Status& from, MPI_Status* to) {
  if (to != MPI_STATUS_IGNORE) *to = from;
}

}  // namespace
}  // namespace lab::mpi

using namespace lab::mpi;  // NOLINT: every function below is of this namespace

extern "C" {

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
              MPI_Comm communicator, MPI_Request* request) {
  *request = Begin({"MPI_Isend",
                    kSends,
                    kStandard,
                    Buffer(buffer),
                    {count, type},
                    destination,
                    tag,
                    communicator});
  return MPI_SUCCESS;
}

int MPI_Issend(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
               MPI_Comm communicator, MPI_Request* request) {
  *request = Begin({"MPI_Issend",
                    kSends,
                    kSynchronous,
                    Buffer(buffer),
                    {count, type},
                    destination,
                    tag,
                    communicator});
  return MPI_SUCCESS;
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag,
              MPI_Comm communicator, MPI_Request* request) {
  *request =
      Begin({"MPI_Irecv", kReceives, kStandard, buffer, {count, type}, source, tag, communicator});
  return MPI_SUCCESS;
}

int MPI_Send_init(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
                  MPI_Comm communicator, MPI_Request* request) {
  *request = Prepare({"MPI_Start",
                      kSends,
                      kStandard,
                      Buffer(buffer),
                      {count, type},
                      destination,
                      tag,
                      communicator});
  return MPI_SUCCESS;
}

int MPI_Recv_init(void* buffer, int count, MPI_Datatype type, int source, int tag,
                  MPI_Comm communicator, MPI_Request* request) {
  *request = Prepare(
      {"MPI_Start", kReceives, kStandard, buffer, {count, type}, source, tag, communicator});
  return MPI_SUCCESS;
}

int MPI_Start(MPI_Request* request) {
  StartAgain(*request);
  return MPI_SUCCESS;
}

int MPI_Startall(int count, MPI_Request requests[]) {
  for (const MPI_Request request : All(count, requests)) StartAgain(request);
  return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request* request) {
  Free(*request);
  return MPI_SUCCESS;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  MPI_Status own{};
  Await(WaitOf(*request, "MPI_Wait"), [&] { return TestOne(*request, own); });
  Give(own, status);
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
  *index = MPI_UNDEFINED;
  if (!AnyUnderWay(count, requests)) return MPI_SUCCESS;
  MPI_Status own{};
  Await({"MPI_Waitany"}, [&] { return (*index = TakeOne(count, requests, own)) >= 0; });
  Give(own, status);
  return MPI_SUCCESS;
}

int MPI_Waitsome(int count, MPI_Request requests[], int* taken, int indices[],
                 MPI_Status statuses[]) {
  *taken = MPI_UNDEFINED;
  if (!AnyUnderWay(count, requests)) return MPI_SUCCESS;
  Await({"MPI_Waitsome"},
        [&] { return (*taken = TakeSome(count, requests, indices, statuses)) > 0; });
  return MPI_SUCCESS;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  MPI_Status own{};
  *flag = !IsWorking() && TestOne(*request, own) ? 1 : 0;
  if (*flag == 0) sched_yield();
  if (*flag != 0) Give(own, status);
  return MPI_SUCCESS;
}

int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  *flag = !IsWorking() && std::ranges::all_of(All(count, requests), IsDone) ? 1 : 0;
  if (*flag == 0) sched_yield();
  for (int i = 0; i < count && *flag != 0; ++i) {
    MPI_Status own{};
    TestOne(requests[i], own);
    if (statuses != MPI_STATUSES_IGNORE) statuses[i] = own;
  }
  return MPI_SUCCESS;
}

int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  *index = MPI_UNDEFINED;
  *flag = 1;
  if (!AnyUnderWay(count, requests)) return MPI_SUCCESS;
  MPI_Status own{};
  const int taken = IsWorking() ? -1 : TakeOne(count, requests, own);
  *flag = taken >= 0 ? 1 : 0;
  if (*flag == 0) sched_yield();
  if (*flag != 0) *index = taken, Give(own, status);
  return MPI_SUCCESS;
}

int MPI_Testsome(int count, MPI_Request requests[], int* taken, int indices[],
                 MPI_Status statuses[]) {
  *taken = MPI_UNDEFINED;
  if (!AnyUnderWay(count, requests)) return MPI_SUCCESS;
  *taken = IsWorking() ? 0 : TakeSome(count, requests, indices, statuses);
  if (*taken == 0) sched_yield();
  return MPI_SUCCESS;
}

}  // extern "C"
