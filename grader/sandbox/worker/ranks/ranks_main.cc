// The worker of message-passing programs.
//
//   worker_ranks LIBRARY.so
#include <stdio.h>

#include <exception>

#include "grader/sandbox/worker/ranks/launcher.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(
        stderr,
        "error: worker_ranks: %d arguments, limit 1\n  next: run it from the grader's checker\n",
        argc - 1);
    return 2;
  }
  try {
    grader::worker::Launcher launcher(argv[1]);
    launcher.Start();
    return launcher.Run() ? 0 : 2;
  } catch (const std::exception& error) {
    fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
