// Collective operations: none ends before all ranks have begun it, as the standard permits. So a
// program that relies on an earlier end is seen, and what each rank asks for is compared.

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <span>
#include <string>
#include <string_view>

#include "common/mpi/observe/communicators.h"
#include "common/mpi/observe/messages.h"
#include "common/mpi/observe/overlap.h"
#include "common/mpi/observe/rank.h"
#include "common/mpi/observe/report.h"

namespace lab::mpi {
namespace {

// What a rank asks for. `bytes`: what it contributes, or receives of a broadcast. `moved`: what any
// algorithm lets some rank send or receive, if not less than by the rank itself (Chan, Heimlich,
// Purkayastha, van de Geijn: "Collective communication: theory, practice, and experience",
// Concurrency and Computation: Practice and Experience 2007).
struct Asked {
  const char* name;
  int root = -1;  // a rank of the communicator; -1: none
  std::uint64_t bytes = 0;
  bool are_bytes_alike = true;  // in all ranks
  std::uint64_t moved = bytes;
};

Collective& EntryOf(int context, int number) {
  Collective* unused = nullptr;
  for (Collective& entry : TheBoard().collectives) {
    if (entry.number == number && entry.context == context) return entry;
    if (entry.number == 0) unused = &entry;
  }
  // Every rank is in at most one.
  *unused = {};
  unused->context = context;
  unused->number = number;
  return *unused;
}

[[noreturn]] void ReportMismatch(const Collective& begun, const Asked& asked, int root) {
  const auto row = [](int rank, const char* name, int line, int its_root, std::uint64_t bytes) {
    std::string text = "rank " + std::to_string(rank) + " calls " + name + "() at " + PlaceOf(line);
    if (its_root >= 0) text += " with root " + std::to_string(its_root);
    return text + " for " + std::to_string(bytes) + " bytes";
  };
  Report("collective_mismatch", "the ranks of a communicator do not call the same collective",
         {row(begun.first, begun.name, begun.line, begun.root, begun.bytes),
          row(MyRank(), asked.name, CurrentLine(), root, asked.bytes)});
}

std::uint64_t Steps(std::size_t ranks) {
  return static_cast<std::uint64_t>(std::bit_width(ranks - 1));
}

void Enter(Collective& entry, const Asked& asked, int root) {
  if (entry.begun == 0) {
    entry.first = MyRank();
    entry.line = CurrentLine();
    entry.name = asked.name;
    entry.root = root;
    entry.bytes = asked.bytes;
  } else if (std::string_view(entry.name) != asked.name || entry.root != root ||
             (asked.are_bytes_alike && entry.bytes != asked.bytes)) {
    ReportMismatch(entry, asked, root);
  }
  const Clocks& clocks = Me().clocks;
  entry.latest = std::max(entry.latest, clocks.messages.End());
  entry.latest_bytes = std::max(entry.latest_bytes, clocks.bytes.End());
  std::atomic_ref(entry.begun).fetch_add(1);  // last: others read the entry without the lock
}

// Waits until all ranks of the communicator have begun.
void Together(Communicator& communicator, const Asked& asked) {
  DropOverlap();
  const int size = static_cast<int>(communicator.world.size());
  if (asked.root >= size || asked.root < -1) {
    ReportBadArgument("root " + std::to_string(asked.root) + " of " + std::to_string(size));
  }
  const int root = asked.root < 0 ? -1 : communicator.world[static_cast<std::size_t>(asked.root)];
  const int number = ++communicator.collectives;
  Collective* entry;
  {
    const BoardLock lock;
    entry = &EntryOf(communicator.context, number);
    Enter(*entry, asked, root);
  }
  NoteEvent();
  const std::atomic_ref begun(entry->begun);
  Await({asked.name}, [&] { return begun.load() == size; });
  RankState& me = Me();
  MovePortsTo(entry->latest + Steps(communicator.world.size()),
              entry->latest_bytes + (size == 1 ? 0 : asked.moved));
  ++me.traffic.collectives;
  me.traffic.collective_bytes += asked.bytes;
  const BoardLock lock;
  if (++entry->ended == size) entry->number = 0;
}

void Complete(int code, MPI_Request request, const char* name) {
  Check(code, name);
  // All ranks have begun it, so that it ends.
  int is_done = 0;
  for (std::uint64_t polls = 0; is_done == 0; ++polls) {
    PMPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    if (is_done == 0) Pause(polls);
  }
}

std::uint64_t Bytes(int count, MPI_Datatype type) {
  if (count < 0) ReportBadArgument("a count below 0");
  return Content{count, type}.Bytes();
}

std::uint64_t SumOf(const int counts[], MPI_Datatype type, const Communicator& communicator) {
  std::uint64_t bytes = 0;
  for (const int count : std::span(counts, communicator.world.size())) bytes += Bytes(count, type);
  return bytes;
}

int RankIn(MPI_Comm communicator) {
  int rank = 0;
  PMPI_Comm_rank(communicator, &rank);
  return rank;
}

bool IsRoot(int root, MPI_Comm communicator) { return RankIn(communicator) == root; }

std::uint64_t OthersIn(MPI_Comm communicator) { return Known(communicator).world.size() - 1; }

// Of all ranks but this one.
std::uint64_t SumOfOthers(const int counts[], MPI_Datatype type, MPI_Comm communicator) {
  return SumOf(counts, type, Known(communicator)) - Bytes(counts[RankIn(communicator)], type);
}

}  // namespace
}  // namespace lab::mpi

using namespace lab::mpi;  // NOLINT: every function below is of this namespace

// The operation of MPI's own that does not block, after all ranks have begun.
#define LAB_COLLECTIVE(asked, call)       \
  const MPI_Comm own = Own(communicator); \
  const Asked asks asked;                 \
  Together(Known(own), asks);             \
  MPI_Request request;                    \
  const int code = call;                  \
  Complete(code, request, asks.name);     \
  return MPI_SUCCESS

extern "C" {

int MPI_Barrier(MPI_Comm communicator) {
  LAB_COLLECTIVE({"MPI_Barrier"}, PMPI_Ibarrier(own, &request));
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator) {
  LAB_COLLECTIVE(({"MPI_Bcast", root, Bytes(count, type)}),
                 PMPI_Ibcast(buffer, count, type, root, own, &request));
}

int MPI_Scatter(const void* sent, int sent_count, MPI_Datatype sent_type, void* received,
                int received_count, MPI_Datatype received_type, int root, MPI_Comm communicator) {
  LAB_COLLECTIVE(
      ({"MPI_Scatter", root,
        received == MPI_IN_PLACE || IsRoot(root, own) ? Bytes(sent_count, sent_type)
                                                      : Bytes(received_count, received_type),
        true,
        IsRoot(root, own) ? OthersIn(own) * Bytes(sent_count, sent_type)
                          : Bytes(received_count, received_type)}),
      PMPI_Iscatter(sent, sent_count, sent_type, received, received_count, received_type, root, own,
                    &request));
}

int MPI_Scatterv(const void* sent, const int counts[], const int places[], MPI_Datatype sent_type,
                 void* received, int received_count, MPI_Datatype received_type, int root,
                 MPI_Comm communicator) {
  LAB_COLLECTIVE(({"MPI_Scatterv", root,
                   received == MPI_IN_PLACE ? 0 : Bytes(received_count, received_type), false,
                   IsRoot(root, own) ? SumOfOthers(counts, sent_type, own)
                                     : Bytes(received_count, received_type)}),
                 PMPI_Iscatterv(sent, counts, places, sent_type, received, received_count,
                                received_type, root, own, &request));
}

int MPI_Gather(const void* sent, int sent_count, MPI_Datatype sent_type, void* received,
               int received_count, MPI_Datatype received_type, int root, MPI_Comm communicator) {
  LAB_COLLECTIVE(
      ({"MPI_Gather", root,
        sent == MPI_IN_PLACE ? Bytes(received_count, received_type) : Bytes(sent_count, sent_type),
        true,
        IsRoot(root, own) ? OthersIn(own) * Bytes(received_count, received_type)
                          : Bytes(sent_count, sent_type)}),
      PMPI_Igather(sent, sent_count, sent_type, received, received_count, received_type, root, own,
                   &request));
}

int MPI_Gatherv(const void* sent, int sent_count, MPI_Datatype sent_type, void* received,
                const int counts[], const int places[], MPI_Datatype received_type, int root,
                MPI_Comm communicator) {
  LAB_COLLECTIVE(
      ({"MPI_Gatherv", root, sent == MPI_IN_PLACE ? 0 : Bytes(sent_count, sent_type), false,
        IsRoot(root, own) ? SumOfOthers(counts, received_type, own)
                          : Bytes(sent_count, sent_type)}),
      PMPI_Igatherv(sent, sent_count, sent_type, received, counts, places, received_type, root, own,
                    &request));
}

int MPI_Allgather(const void* sent, int sent_count, MPI_Datatype sent_type, void* received,
                  int received_count, MPI_Datatype received_type, MPI_Comm communicator) {
  LAB_COLLECTIVE(({"MPI_Allgather", -1, Bytes(received_count, received_type), true,
                   OthersIn(own) * Bytes(received_count, received_type)}),
                 PMPI_Iallgather(sent, sent_count, sent_type, received, received_count,
                                 received_type, own, &request));
}

int MPI_Allgatherv(const void* sent, int sent_count, MPI_Datatype sent_type, void* received,
                   const int counts[], const int places[], MPI_Datatype received_type,
                   MPI_Comm communicator) {
  LAB_COLLECTIVE(({"MPI_Allgatherv", -1, SumOf(counts, received_type, Known(own)), true,
                   SumOfOthers(counts, received_type, own)}),
                 PMPI_Iallgatherv(sent, sent_count, sent_type, received, counts, places,
                                  received_type, own, &request));
}

int MPI_Alltoall(const void* sent, int sent_count, MPI_Datatype sent_type, void* received,
                 int received_count, MPI_Datatype received_type, MPI_Comm communicator) {
  LAB_COLLECTIVE(({"MPI_Alltoall", -1, Bytes(received_count, received_type), true,
                   OthersIn(own) * Bytes(received_count, received_type)}),
                 PMPI_Ialltoall(sent, sent_count, sent_type, received, received_count,
                                received_type, own, &request));
}

int MPI_Alltoallv(const void* sent, const int sent_counts[], const int sent_places[],
                  MPI_Datatype sent_type, void* received, const int received_counts[],
                  const int received_places[], MPI_Datatype received_type, MPI_Comm communicator) {
  LAB_COLLECTIVE(
      ({"MPI_Alltoallv", -1,
        sent == MPI_IN_PLACE ? SumOf(received_counts, received_type, Known(own))
                             : SumOf(sent_counts, sent_type, Known(own)),
        false,
        sent == MPI_IN_PLACE ? SumOfOthers(received_counts, received_type, own)
                             : std::max(SumOfOthers(sent_counts, sent_type, own),
                                        SumOfOthers(received_counts, received_type, own))}),
      PMPI_Ialltoallv(sent, sent_counts, sent_places, sent_type, received, received_counts,
                      received_places, received_type, own, &request));
}

int MPI_Reduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op operation,
               int root, MPI_Comm communicator) {
  LAB_COLLECTIVE(({"MPI_Reduce", root, Bytes(count, type)}),
                 PMPI_Ireduce(sent, received, count, type, operation, root, own, &request));
}

int MPI_Allreduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op operation,
                  MPI_Comm communicator) {
  LAB_COLLECTIVE(({"MPI_Allreduce", -1, Bytes(count, type), true,
                   2 * OthersIn(own) * Bytes(count, type) / (OthersIn(own) + 1)}),
                 PMPI_Iallreduce(sent, received, count, type, operation, own, &request));
}

int MPI_Reduce_scatter(const void* sent, void* received, const int counts[], MPI_Datatype type,
                       MPI_Op operation, MPI_Comm communicator) {
  LAB_COLLECTIVE(({"MPI_Reduce_scatter", -1, SumOf(counts, type, Known(own)), true,
                   SumOfOthers(counts, type, own)}),
                 PMPI_Ireduce_scatter(sent, received, counts, type, operation, own, &request));
}

int MPI_Reduce_scatter_block(const void* sent, void* received, int count, MPI_Datatype type,
                             MPI_Op operation, MPI_Comm communicator) {
  LAB_COLLECTIVE(({"MPI_Reduce_scatter_block", -1, Bytes(count, type), true,
                   OthersIn(own) * Bytes(count, type)}),
                 PMPI_Ireduce_scatter_block(sent, received, count, type, operation, own, &request));
}

int MPI_Scan(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op operation,
             MPI_Comm communicator) {
  LAB_COLLECTIVE(({"MPI_Scan", -1, Bytes(count, type)}),
                 PMPI_Iscan(sent, received, count, type, operation, own, &request));
}

int MPI_Exscan(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op operation,
               MPI_Comm communicator) {
  LAB_COLLECTIVE(({"MPI_Exscan", -1, Bytes(count, type)}),
                 PMPI_Iexscan(sent, received, count, type, operation, own, &request));
}

int MPI_Comm_split(MPI_Comm communicator, int color, int key, MPI_Comm* made) {
  Together(Known(communicator), {"MPI_Comm_split", -1, sizeof color + sizeof key});
  Check(PMPI_Comm_split(Own(communicator), color, key, made), "MPI_Comm_split");
  Learn(*made);
  return MPI_SUCCESS;
}

int MPI_Comm_dup(MPI_Comm communicator, MPI_Comm* made) {
  Together(Known(communicator), {"MPI_Comm_dup"});
  Check(PMPI_Comm_dup(Own(communicator), made), "MPI_Comm_dup");
  Learn(*made);
  return MPI_SUCCESS;
}

int MPI_Cart_create(MPI_Comm communicator, int dimensions, const int sizes[], const int wraps[],
                    int may_reorder, MPI_Comm* made) {
  Together(Known(communicator), {"MPI_Cart_create"});
  Check(PMPI_Cart_create(Own(communicator), dimensions, sizes, wraps, may_reorder, made),
        "MPI_Cart_create");
  Learn(*made);
  return MPI_SUCCESS;
}

int MPI_Cart_sub(MPI_Comm communicator, const int remains[], MPI_Comm* made) {
  Together(Known(communicator), {"MPI_Cart_sub"});
  Check(PMPI_Cart_sub(Own(communicator), remains, made), "MPI_Cart_sub");
  Learn(*made);
  return MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm* communicator) {
  Known(*communicator);
  Forget(*communicator);
  return PMPI_Comm_free(communicator);
}

int MPI_Comm_rank(MPI_Comm communicator, int* rank) {
  return PMPI_Comm_rank(Own(communicator), rank);
}

int MPI_Comm_size(MPI_Comm communicator, int* size) {
  return PMPI_Comm_size(Own(communicator), size);
}

}  // extern "C"
