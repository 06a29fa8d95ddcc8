// compile COMPILER OPTION...: compiles rewritten text, and passes on the compiler's messages in
// terms of the student's file.  Ends with the compiler's exit code, or by the signal that ended it.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

#include "common/cudasim/messages/messages.h"

namespace {

using cudasim::messages::FindHeaders;
using cudasim::messages::Messages;

constexpr int kCannotRun = 2;

// The folder of the simulator's headers, by the text that is compiled.
std::string HeadersOf(char** command) {
  constexpr std::string_view kSuffix = ".ii";
  for (; *command != nullptr; ++command) {
    const std::string_view name = *command;
    if (name.size() < kSuffix.size() || name.substr(name.size() - kSuffix.size()) != kSuffix) {
      continue;
    }
    std::string begin(1 << 16, '\0');
    std::ifstream in(*command, std::ios::binary);
    in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(in.gcount()));
    return FindHeaders(begin);
  }
  return "";
}

void PassOn(std::FILE* from, Messages messages) {
  char* line = nullptr;
  std::size_t room = 0;
  for (ssize_t size = 0; (size = getline(&line, &room, from)) > 0;) {
    std::string_view text(line, static_cast<std::size_t>(size));
    if (text.back() == '\n') text.remove_suffix(1);
    std::fputs(messages.Add(text).c_str(), stderr);
  }
  std::fputs(messages.Finish().c_str(), stderr);
  std::free(line);
}

int Fail(const char* what) {
  std::fprintf(stderr, "error: cannot run: %s: %s\n", what, std::strerror(errno));
  return kCannotRun;
}

int Run(char** command) {
  int ends[2];
  if (pipe(ends) != 0) return Fail(command[0]);
  const pid_t child = fork();
  if (child < 0) return Fail(command[0]);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    setenv("LC_ALL", "C", 1);  // Messages knows the English ones, with plain quotes
    execvp(command[0], command);
    _exit(Fail(command[0]));
  }
  close(ends[1]);
  std::FILE* const said = fdopen(ends[0], "r");
  if (said == nullptr) return Fail(command[0]);
  PassOn(said, Messages(HeadersOf(command)));
  std::fclose(said);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return Fail(command[0]);
  }
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  std::raise(WTERMSIG(status));
  return 128 + WTERMSIG(status);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) return Run(argv + 1);
  std::fprintf(stderr, "error: no command\n  next: compile COMPILER OPTION...\n");
  return kCannotRun;
}
