#include "common/mpi/launch/pmi_server.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include <utility>

namespace lab::mpi {
namespace {

// The value of KEY=VALUE in a line; values hold no blanks.
std::string Field(const std::string& line, const std::string& key) {
  const std::size_t at = (" " + line).find(" " + key + "=");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + key.size() + 1;
  return line.substr(begin, line.find(' ', begin) - begin);
}

}  // namespace

PmiServer::PmiServer(std::vector<int> sockets)
    : sockets_(std::move(sockets)), unread_(sockets_.size()) {}

bool PmiServer::ServeUntilReady() {
  std::vector<pollfd> polled;
  for (const int socket : sockets_) polled.push_back({socket, POLLIN, 0});
  while (ready_ < sockets_.size()) {
    if (poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) return false;
    for (std::size_t rank = 0; rank < polled.size(); ++rank) {
      if (polled[rank].revents != 0 && !Read(rank)) return false;
    }
  }
  return true;
}

bool PmiServer::Read(std::size_t rank) {
  char bytes[4096];
  const ssize_t count = read(sockets_[rank], bytes, sizeof bytes);
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  std::string& unread = unread_[rank];
  unread.append(bytes, static_cast<std::size_t>(count));
  for (std::size_t end; (end = unread.find('\n')) != std::string::npos;) {
    const std::string line = unread.substr(0, end);
    unread.erase(0, end + 1);
    if (!line.empty() && line[0] == kReady) {
      ++ready_;
    } else if (Field(line, "cmd") == "abort") {
      return false;
    } else {
      Answer(rank, line);
    }
  }
  return true;
}

void PmiServer::Answer(std::size_t rank, const std::string& line) {
  const std::string command = Field(line, "cmd");
  if (command == "init") {
    Say(rank, "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0");
  } else if (command == "get_maxes") {
    Say(rank, "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024");
  } else if (command == "get_appnum") {
    Say(rank, "cmd=appnum appnum=0");
  } else if (command == "get_my_kvsname") {
    Say(rank, "cmd=my_kvsname kvsname=ranks");
  } else if (command == "put") {
    values_[Field(line, "key")] = Field(line, "value");
    Say(rank, "cmd=put_result rc=0 msg=success");
  } else if (command == "get") {
    const auto found = values_.find(Field(line, "key"));
    Say(rank, found == values_.end() ? "cmd=get_result rc=-1 msg=unknown value=unknown"
                                     : "cmd=get_result rc=0 msg=success value=" + found->second);
  } else if (command == "barrier_in") {
    if (++waiting_ < sockets_.size()) return;
    waiting_ = 0;
    for (std::size_t each = 0; each < sockets_.size(); ++each) Say(each, "cmd=barrier_out");
  } else if (command == "finalize") {
    Say(rank, "cmd=finalize_ack");
  }
}

void PmiServer::Say(std::size_t rank, const std::string& text) const {
  const std::string line = text + "\n";
  // A rank that is gone shows when it is read from.
  static_cast<void>(write(sockets_[rank], line.data(), line.size()) == 0);
}

}  // namespace lab::mpi
