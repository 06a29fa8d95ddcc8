// The untrusted side of the grader: loads a submission and makes the calls that the checker asks
// for. Everything in this process may be in the student's hands; nothing in it is trusted.
//
//   worker LIBRARY.so
#include <stdio.h>

#include "grader/sandbox/worker/faults.h"
#include "grader/sandbox/worker/server.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr,
            "error: worker: %d arguments, limit 1\n  next: run it from the grader's checker\n",
            argc - 1);
    return 2;
  }
  grader::worker::ReportFaults();
  grader::worker::Server server(argv[1]);
  return server.Run() ? 0 : 2;
}
