// Hostile: executes a program from a file in memory, to escape what controls it.
// Or: policy, runtime_error, tampering
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  const char* const none[] = {nullptr};
  const long file = syscall(SYS_memfd_create, "attack", 0L);
  if (write(static_cast<int>(file), "#!/worker\n", 10) != 10) return 0;
  syscall(SYS_execveat, file, "", none, none, 0x1000L);
  return 0;
}();
