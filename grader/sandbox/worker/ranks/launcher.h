#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/sandbox/wire/wire.h"

namespace grader::worker {

// The worker of a message-passing program: starts its ranks, each of which is a worker of its own
// (server.h), and stands between them and the checker. It never loads the student's library. Not
// thread-safe.
class Launcher {
 public:
  explicit Launcher(std::string library) : library_(std::move(library)) {}

  // Starts the ranks. Throws std::runtime_error.
  void Start();

  // Serves until asked to quit (true) or until the checker is gone (false). Ends as the first rank
  // does that ends.
  bool Run();

 private:
  struct Rank {
    pid_t process;
    int requests;
    int replies;
    std::optional<wire::Reply> reply{};  // to the current request
  };

  int BeRank(int rank) const;
  // Passes the request on and waits for all replies.
  wire::Reply Ask(const wire::Request& request);
  // Reads what a rank says; passes on what is no reply. `request`: the one under way, if any.
  void Hear(std::size_t rank, const wire::Request* request);
  // Waits until the checker or a rank says something; true if the checker does.
  bool WaitForChecker();
  [[noreturn]] void EndAs(const Rank& rank);

  std::string library_;
  std::vector<Rank> ranks_;
};

}  // namespace grader::worker
