// Hostile: executes a fresh worker without its library; that worker does not have the function.
// Or: tampering, time_limit, policy
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

const int tried = [] {
  const char* const argv[] = {"/worker", "/submission.so", nullptr};
  const char* const none[] = {nullptr};
  return static_cast<int>(syscall(SYS_execve, "/worker", argv, none));
}();
