// rewrite [--one-file] IN.ii OUT.ii: turns preprocessed CUDA C++ into C++ for the simulator.
//
// --one-file: what is only __device__ or __constant__ has internal linkage, nvcc's default.
//
// Exit status: 0 done, 1 the source cannot be rewritten, 2 wrong usage or a file that cannot be
// read or written.  Errors have the compiler's form: file:line: error: message.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "common/cudasim/rewriter/rewrite.h"

int main(int argc, char** argv) {
  using cudasim::rewriter::Linkage;
  Linkage linkage = Linkage::kAcrossFiles;
  if (argc > 1 && std::string_view(argv[1]) == "--one-file") {
    linkage = Linkage::kOneFile;
    ++argv;
    --argc;
  }
  if (argc != 3) {
    std::cerr << "error: wrong number of arguments: rewrite: " << argc - 1 << ", limit 2\n"
              << "  next: rewrite [--one-file] IN.ii OUT.ii\n";
    return 2;
  }
  std::ifstream in(argv[1], std::ios::binary);
  const std::string source{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in) {
    std::cerr << "error: cannot read: " << argv[1] << "\n  next: check the path\n";
    return 2;
  }
  std::string text;
  try {
    std::vector<std::string> notes;
    text = cudasim::rewriter::Rewrite(source, linkage, &notes);
    for (const std::string& note : notes) std::cerr << note << "\n";
  } catch (const cudasim::rewriter::RewriteError& e) {
    std::cerr << e.file() << ":" << e.line() << ": error: " << e.what() << "\n";
    if (!e.next().empty()) std::cerr << "  next: " << e.next() << "\n";
    return 1;
  }
  std::ofstream out(argv[2], std::ios::binary);
  out << text << std::flush;
  if (!out) {
    std::cerr << "error: cannot write: " << argv[2] << "\n  next: check the folder and the disk\n";
    std::remove(argv[2]);
    return 2;
  }
  return 0;
}
