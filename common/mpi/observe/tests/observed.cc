#include "common/mpi/observe/tests/observed.h"

#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "common/mpi/launch/launch.h"
#include "common/mpi/observe/board.h"
#include "common/mpi/observe/rank.h"

namespace lab::mpi {
namespace {

constexpr int kUnexpected = 3;

// An empty file whose name the environment tells.
std::string Named(const char* variable) {
  const std::string path = ::testing::TempDir() + variable;
  std::ofstream(path, std::ios::trunc).flush();
  setenv(variable, path.c_str(), 1);
  return path;
}

std::string Read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Waits until all have ended, or ends them after the first that fails; returns its status.
int WaitForAll(std::vector<pid_t> ranks) {
  int status = 0;
  while (!ranks.empty() && status == 0) {
    const pid_t ended = waitpid(-1, &status, 0);
    std::erase(ranks, ended);
  }
  EndRanks(ranks);
  return status;
}

}  // namespace

long Observed::Count(const std::string& name) const {
  const std::string key = '"' + name + "\": ";
  const std::size_t at = counts.find(key);
  return at == std::string::npos ? -1 : std::stol(counts.substr(at + key.size()));
}

Observed Observe(int ranks, const std::function<void(int rank)>& program, bool is_strict) {
  const std::string counts = Named("LAB_MPI_PROFILE");
  const std::string finding = Named("LAB_MPI_LOG");
  setenv("LAB_MPI_FILE", "test", 1);
  ResetBoard();
  const int status = WaitForAll(LaunchRanks(ranks, [&](int rank) {
    SetRank(rank);
    BeginCall(ranks, is_strict, {});
    program(rank);
    EndCall();
    return 0;
  }));
  EXPECT_FALSE(WIFSIGNALED(status) || WEXITSTATUS(status) == kUnexpected) << status;
  return {Read(counts), Read(finding)};
}

void ExpectInRank(bool condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "rank %d: %s\n", MyRank(), what);
  _exit(kUnexpected);
}

}  // namespace lab::mpi
