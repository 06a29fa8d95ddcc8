#include "common/mpi/observe/traffic.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <span>

#include "common/mpi/observe/board.h"

namespace lab::mpi {
namespace {

void WriteMatrix(std::ofstream& file, std::span<const RankState> ranks,
                 std::uint64_t Sent::*amount) {
  for (std::size_t from = 0; from < ranks.size(); ++from) {
    file << (from == 0 ? "[" : ", [");
    for (std::size_t to = 0; to < ranks.size(); ++to) {
      file << (to == 0 ? "" : ", ") << ranks[from].traffic.sent[to].*amount;
    }
    file << ']';
  }
}

}  // namespace

void AppendTraffic(const char* function, int ranks) {
  const char* const path = std::getenv("LAB_MPI_TRAFFIC");
  if (path == nullptr) return;
  const auto all = std::span(TheBoard().ranks).first(static_cast<std::size_t>(ranks));
  std::uint64_t chain = 0;
  for (const RankState& rank : all) chain = std::max(chain, rank.clocks.messages.End());
  std::ofstream file(path, std::ios::app);
  file << R"({"function": ")" << function << R"(", "chain": )" << chain << R"(, "messages": [)";
  WriteMatrix(file, all, &Sent::messages);
  file << R"(], "bytes": [)";
  WriteMatrix(file, all, &Sent::bytes);
  file << "]}\n";
}

}  // namespace lab::mpi
