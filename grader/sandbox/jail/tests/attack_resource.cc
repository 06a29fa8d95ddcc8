#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <new>
#include <string>

#include "grader/sandbox/jail/tests/attack.h"
#include "grader/sandbox/jail/tests/run_only_on.h"

namespace grader::attack {
namespace {

using Arguments = std::span<const std::string>;

constexpr int kMaxProcesses = 400;
constexpr int kMaxThreads = 1000;
constexpr std::size_t kMegabyte = 1 << 20;
constexpr std::size_t kMaxMegabytes = 600;

void IgnoreSignals() {
  for (int number = 1; number < 65; ++number) signal(number, SIG_IGN);
}

// Every process forks on, up to kMaxProcesses in all; they stay until they are killed.
void ForkBomb(Arguments) {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* started = new (page) std::atomic<int>(0);
  while (started->fetch_add(1) < kMaxProcesses) {
    if (fork() == 0) alarm(10);
  }
  sleep(10);
}

void* Sleeper(void*) {
  sleep(10);
  return nullptr;
}

// Argument: how many threads count as success.
void ThreadBomb(Arguments arguments) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  int started = 0;
  pthread_t thread;
  while (started < kMaxThreads && pthread_create(&thread, &small, Sleeper, nullptr) == 0) ++started;
  if (started >= std::stoi(arguments[0])) Achieved(std::to_string(started) + " threads");
  _exit(1);
}

void MemoryBomb(Arguments) {
  for (std::size_t i = 0; i < kMaxMegabytes; ++i) {
    void* memory =
        mmap(nullptr, kMegabyte, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) _exit(1);
    memset(memory, 1, kMegabyte);
  }
  Achieved("600 MB of memory");
}

// Eight children, each below the limit of one process.
void MemoryBombInChildren(Arguments) {
  for (int child = 0; child < 8; ++child) {
    if (fork() != 0) continue;
    const std::size_t size = 48 * kMegabyte;
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) _exit(1);
    memset(memory, 1, size);
    sleep(10);
  }
  sleep(10);
}

std::size_t Fill(int fd, std::size_t megabytes) {
  const std::string block(kMegabyte, 'x');
  std::size_t written = 0;
  while (written < megabytes && write(fd, block.data(), block.size()) > 0) ++written;
  return written;
}

// Argument: how many megabytes count as success.
void FillTmp(Arguments arguments) {
  signal(SIGXFSZ, SIG_IGN);
  std::size_t written = 0;
  for (const std::string folder : {"/tmp/", "/dev/shm/"}) {
    for (int file = 0; file < 10; ++file) {
      const int fd = open((folder + std::to_string(file)).c_str(), O_WRONLY | O_CREAT, 0644);
      written += Fill(fd, kMaxMegabytes);
      close(fd);
    }
  }
  if (written >= std::stoul(arguments[0])) Achieved(std::to_string(written) + " MB in /tmp");
}

void FillMemoryFiles(Arguments) {
  signal(SIGXFSZ, SIG_IGN);
  std::size_t written = 0;
  for (int file = 0; file < 40; ++file) written += Fill(memfd_create("fill", 0), 15);
  if (written >= kMaxMegabytes) Achieved(std::to_string(written) + " MB in memory files");
}

void MakeManyFiles(Arguments) {
  for (int file = 0; file < 400'000; ++file) {
    const int fd = open(("/tmp/" + std::to_string(file)).c_str(), O_WRONLY | O_CREAT, 0644);
    if (fd < 0) return;
    close(fd);
  }
  Achieved("400000 files");
}

void FloodOutput(Arguments) {
  IgnoreSignals();
  const std::string block(65536, 'x');
  for (std::size_t i = 0; i < kMaxMegabytes * 16; ++i) {
    if (write(i % 2 + 1, block.data(), block.size()) < 0) _exit(1);
  }
}

// Argument: a folder to write to.
void WriteBigFile(Arguments arguments) {
  const int fd = open((arguments[0] + "/big").c_str(), O_WRONLY | O_CREAT, 0644);
  if (fd >= 0 && Fill(fd, kMaxMegabytes) == kMaxMegabytes) Achieved("600 MB file");
}

void Sleep(Arguments) { sleep(15); }

void Spin(Arguments) {
  IgnoreSignals();
  volatile bool forever = true;
  while (forever) {
  }
}

void SpinInChildren(Arguments) {
  if (fork() == 0) Spin({});
  Spin({});
}

// On one core after the other, for 20 ms each.
void SpinOnEveryCore(Arguments) {
  for (int core = 0;; core = (core + 1) % get_nprocs()) {
    RunOnlyOn(core);
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(20)) {
    }
  }
}

// Arguments: a file to which a daemon, in a session of its own, writes as long as it lives; "stay"
// if its parent should live, too.
void LeaveDaemon(Arguments arguments) {
  if (fork() != 0) {
    usleep(100'000);  // time to settle in
    if (arguments.size() > 1) sleep(10);
    _exit(0);
  }
  setsid();
  if (fork() != 0) _exit(0);
  IgnoreSignals();
  const int fd = open(arguments[0].c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  for (int i = 0; i < 1000; ++i) {
    if (write(fd, ".", 1) < 0) _exit(1);
    usleep(10'000);
  }
}

// Prints a line every few milliseconds.
void Tick(Arguments) {
  for (int i = 0; i < 5000; ++i) {
    if (write(1, ".", 1) < 0) _exit(1);
    usleep(2000);
  }
}

// No attack: sends back what comes in. Arguments: descriptors to read from and to write to.
void Answer(Arguments arguments) {
  char text[64];
  const ssize_t got = read(std::stoi(arguments[0]), text, sizeof text);
  if (got <= 0 || write(std::stoi(arguments[1]), text, static_cast<std::size_t>(got)) != got)
    _exit(1);
}

void Crash(Arguments) {
  volatile int* nowhere = nullptr;
  *nowhere = 1;
}

}  // namespace

std::vector<Attack> ResourceAttacks() {
  return {{"fork_bomb", ForkBomb},
          {"thread_bomb", ThreadBomb},
          {"memory_bomb", MemoryBomb},
          {"memory_bomb_in_children", MemoryBombInChildren},
          {"fill_tmp", FillTmp},
          {"fill_memory_files", FillMemoryFiles},
          {"make_many_files", MakeManyFiles},
          {"flood_output", FloodOutput},
          {"write_big_file", WriteBigFile},
          {"sleep", Sleep},
          {"spin", Spin},
          {"spin_in_children", SpinInChildren},
          {"spin_on_every_core", SpinOnEveryCore},
          {"leave_daemon", LeaveDaemon},
          {"tick", Tick},
          {"answer", Answer},
          {"crash", Crash}};
}

}  // namespace grader::attack
