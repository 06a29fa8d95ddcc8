// attack NAME [ARGUMENT]...: makes one attack; see attack.h.

#include <stdio.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "grader/sandbox/jail/tests/attack.h"

namespace grader::attack {

void Achieved(const std::string& what) {
  printf("achieved: %s\n", what.c_str());
  fflush(stdout);
}

}  // namespace grader::attack

int main(int argc, char** argv) {
  alarm(20);  // whatever goes wrong
  if (argc < 2) return 2;
  const std::vector<std::string> arguments(argv + 2, argv + argc);
  for (const auto& attacks : {grader::attack::EscapeAttacks(), grader::attack::ResourceAttacks()}) {
    for (const auto& attack : attacks) {
      if (std::string(attack.name) != argv[1]) continue;
      attack.run(arguments);
      return 0;
    }
  }
  fprintf(stderr, "no attack is called %s\n", argv[1]);
  return 2;
}
