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

// How many communicators of the call have exactly these ranks, each of which is a bit. All of them
// have made them in the same order, so that the number needs no message.
std::map<int, int> made_by;

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

std::vector<int> RanksInWorld(MPI_Comm communicator) {
  MPI_Group all;
  MPI_Group group;
  int size = 0;
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Comm_group(communicator, &group);
  PMPI_Group_size(group, &size);
  std::vector<int> own(static_cast<std::size_t>(size));
  std::iota(own.begin(), own.end(), 0);
  std::vector<int> world(own.size());
  PMPI_Group_translate_ranks(group, size, own.data(), all, world.data());
  PMPI_Group_free(&group);
  PMPI_Group_free(&all);
  return world;
}

}  // namespace

void UseRanks(int ranks) {
  world_of_call = WorldOf(ranks);
  std::vector<int> members(static_cast<std::size_t>(ranks));
  std::iota(members.begin(), members.end(), 0);
  known.clear();
  known[world_of_call] = {0, members};
  known[MPI_COMM_SELF] = {-1 - MyRank(), {MyRank()}};
  made_by.clear();
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
  std::vector<int> world = RanksInWorld(communicator);
  int members = 0;
  for (const int rank : world) members |= 1 << rank;
  known[communicator] = {members << 16 | ++made_by[members], std::move(world)};
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
