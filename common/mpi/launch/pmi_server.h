#pragma once

// Starts the ranks of MPICH without a process manager: answers what they ask, in the text protocol
// PMI-1 (Balaji et al., "PMI: A Scalable Parallel Process-Management Interface", EuroMPI 2010).

#include <map>
#include <string>
#include <vector>

namespace lab::mpi {

class PmiServer {
 public:
  // `sockets`: one for each rank, whose other end it finds by PMI_FD. Not owned.
  explicit PmiServer(std::vector<int> sockets);

  // Serves until every rank has sent `ready`, a byte that no message of the protocol begins with.
  // Returns false if one closes its socket before, or gives up.
  bool ServeUntilReady();

  static constexpr char kReady = '!';

 private:
  void Answer(std::size_t rank, const std::string& line);
  void Say(std::size_t rank, const std::string& text) const;
  // Whether the rank still is there.
  bool Read(std::size_t rank);

  std::vector<int> sockets_;
  std::vector<std::string> unread_;
  std::map<std::string, std::string> values_;
  std::size_t waiting_ = 0;
  std::size_t ready_ = 0;
};

}  // namespace lab::mpi
