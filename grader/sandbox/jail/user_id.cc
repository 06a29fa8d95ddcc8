#include "grader/sandbox/jail/user_id.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <string>

#include "grader/sandbox/jail/error.h"

namespace grader {
namespace {

// Below 65534, so that they exist in containers which map 65536 ids; above what distributions give
// to people and services.
constexpr int kFirstId = 62000;
constexpr int kIds = 3000;

Descriptor Lock(int id) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = "grader-jail-uid-" + std::to_string(id);
  memcpy(address.sun_path + 1, name.data(), name.size());  // a leading NUL: abstract
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  Descriptor lock(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (bind(lock.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0) lock.Close();
  return lock;
}

}  // namespace

UserId::UserId(int id) : id_(id) {
  if (id_ != 0) return;
  for (int i = 0; i < kIds; ++i) {
    id_ = kFirstId + (getpid() + i) % kIds;
    lock_ = Lock(id_);
    if (lock_.valid()) return;
  }
  throw JailError("no user id is free for a jail: " + std::to_string(kIds) +
                  " are in use\n  next: run fewer jails at a time");
}

}  // namespace grader
