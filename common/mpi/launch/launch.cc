#include "common/mpi/launch/launch.h"

#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>

#include "common/mpi/launch/pmi_server.h"

namespace lab::mpi {
namespace {

// Ranks of one machine share memory; MPICH would look for networks otherwise.
constexpr const char* kTransports = "self,posix";

std::array<int, 2> MakeSocketPair() {
  std::array<int, 2> ends;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) {
    throw std::runtime_error(std::string("error: cannot start ranks: ") + strerror(errno) +
                             "\n  next: close other programs, then run it again");
  }
  return ends;
}

[[noreturn]] void BeRank(int rank, int ranks, int socket,
                         const std::function<int(int rank)>& body) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setenv("PMI_FD", std::to_string(socket).c_str(), 1);
  setenv("PMI_RANK", std::to_string(rank).c_str(), 1);
  setenv("PMI_SIZE", std::to_string(ranks).c_str(), 1);
  setenv("UCX_TLS", kTransports, 1);
  setenv("UCX_HANDLE_ERRORS", "none", 1);  // signals are ours to explain
  if (PMPI_Init(nullptr, nullptr) != MPI_SUCCESS) _exit(1);
  for (const MPI_Comm communicator : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    PMPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  }
  const char ready[] = {PmiServer::kReady, '\n'};
  if (write(socket, ready, sizeof ready) != sizeof ready) _exit(1);
  char end;
  while (read(socket, &end, 1) > 0) {  // until the server has closed it
  }
  close(socket);
  for (const char* variable : {"PMI_FD", "PMI_RANK", "PMI_SIZE"}) unsetenv(variable);
  _exit(body(rank));
}

}  // namespace

std::vector<pid_t> LaunchRanks(int ranks, const std::function<int(int rank)>& body) {
  std::vector<pid_t> processes;
  std::vector<int> sockets;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto [ours, theirs] = MakeSocketPair();
    const pid_t process = fork();
    if (process == 0) {
      close(ours);
      for (const int socket : sockets) close(socket);
      BeRank(rank, ranks, theirs, body);
    }
    close(theirs);
    sockets.push_back(ours);
    if (process > 0) processes.push_back(process);
  }
  const bool are_ready = processes.size() == sockets.size() && PmiServer(sockets).ServeUntilReady();
  for (const int socket : sockets) close(socket);
  if (are_ready) return processes;
  EndRanks(processes);
  throw std::runtime_error("error: MPI does not start: ranks: " + std::to_string(ranks) +
                           "\n  next: run ./setup, and see what `mpiexec -n 2 true` says");
}

void EndRanks(const std::vector<pid_t>& ranks) {
  for (const pid_t rank : ranks) kill(rank, SIGKILL);
  for (const pid_t rank : ranks) waitpid(rank, nullptr, 0);
}

}  // namespace lab::mpi
