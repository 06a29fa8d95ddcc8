#include "common/mpi/observe/communicators.h"

#include <map>
#include <numeric>
#include <utility>

#include "common/mpi/observe/rank.h"
#include "common/mpi/observe/report.h"

namespace lab::mpi {
namespace {

std::map<MPI_Comm, Communicator> known;
MPI_Comm world_of_call = MPI_COMM_NULL;

// By their number of ranks; they stay from call to call.
std::map<int, MPI_Comm> worlds;

MPI_Comm WorldOf(int ranks) {
  if (const auto found = worlds.find(ranks); found != worlds.end()) return found->second;
  std::vector<int> members(static_cast<std::size_t>(ranks));
  std::iota(members.begin(), members.end(), 0);
  MPI_Group all;
  MPI_Group group;
  MPI_Comm made;
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Group_incl(all, ranks, members.data(), &group);
  PMPI_Comm_create_group(MPI_COMM_WORLD, group, ranks, &made);
  PMPI_Group_free(&group);
  PMPI_Group_free(&all);
  PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  return worlds[ranks] = made;
}

}  // namespace

void UseRanks(int ranks) {
  world_of_call = WorldOf(ranks);
  std::vector<int> members(static_cast<std::size_t>(ranks));
  std::iota(members.begin(), members.end(), 0);
  known.clear();
  known[world_of_call] = {0, members};
  known[MPI_COMM_SELF] = {-1 - MyRank(), {MyRank()}};
  if (MyRank() == 0) TheBoard().next_context = 1;
}

MPI_Comm Own(MPI_Comm communicator) {
  return communicator == MPI_COMM_WORLD ? world_of_call : communicator;
}

Communicator& Known(MPI_Comm communicator) {
  const auto found = known.find(Own(communicator));
  if (found == known.end()) ReportBadArgument("no communicator");
  return found->second;
}

void Learn(MPI_Comm communicator) {
  if (communicator == MPI_COMM_NULL) return;
  PMPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  int size = 0;
  int own = 0;
  PMPI_Comm_size(communicator, &size);
  PMPI_Comm_rank(communicator, &own);
  int context = 0;
  if (own == 0) {
    const BoardLock lock;
    context = TheBoard().next_context++;
  }
  PMPI_Bcast(&context, 1, MPI_INT, 0, communicator);
  std::vector<int> world(static_cast<std::size_t>(size));
  const int mine = MyRank();
  PMPI_Allgather(&mine, 1, MPI_INT, world.data(), 1, MPI_INT, communicator);
  known[communicator] = {context, std::move(world)};
}

void Forget(MPI_Comm communicator) { known.erase(communicator); }

void FreeCommunicators() {
  for (auto& [communicator, what] : known) {
    if (communicator == world_of_call || communicator == MPI_COMM_SELF) continue;
    MPI_Comm each = communicator;
    PMPI_Comm_free(&each);
  }
  known.clear();
}

}  // namespace lab::mpi
