// instrument unoptimised|optimised IN OUT: see instrument.h.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

#include "grader/judging/kit/instrument/instrument.h"

namespace {

using grader::instrument::Lines;

int Fail(std::string_view does, const char* path) {
  std::cerr << "error: cannot " << does << " " << path << ": " << std::strerror(errno) << "\n";
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view stage = count == 4 ? arguments[1] : "";
  if (stage != "unoptimised" && stage != "optimised") {
    std::cerr << "usage: instrument unoptimised|optimised IN OUT\n";
    return 2;
  }
  std::ifstream in(arguments[2]);
  Lines program;
  for (std::string line; std::getline(in, line);) program.push_back(line);
  if (!in.eof()) return Fail("read", arguments[2]);
  program = stage == "optimised" ? grader::instrument::Optimised(program)
                                 : grader::instrument::Unoptimised(std::move(program));
  std::ofstream out(arguments[3]);
  for (const std::string& line : program) out << line << '\n';
  out.close();
  return out.fail() ? Fail("write", arguments[3]) : 0;
}
