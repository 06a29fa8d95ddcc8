#include "common/lab/test_program/in_process_simulator.h"

#include <cstdint>
#include <set>
#include <string>

#include "common/cudasim/include/cudasim/call_account.h"
#include "common/cudasim/include/cudasim/writers.h"

namespace lab {
namespace {

// The default limit of output bytes from the host; a part's lab.toml may raise it.
constexpr std::uint64_t kUsualHostBytes = 64;

std::string Warning(const std::string& function, const CudasimCallAccount& account) {
  static std::set<std::string> told;
  if (!told.insert(function).second) return "";
  return "warning: " + function + ": " + std::to_string(account.output_bytes_from_host) +
         " bytes of an output come from the host, by " + account.copy +
         "\n  next: let a kernel compute them; the grader refuses them, except in a part with "
         "host_bytes in lab.toml\n";
}

}  // namespace

void BeginAccount() {
  if (&simulatorKeepWriters != nullptr) simulatorKeepWriters();
  if (&simulatorBeginCall != nullptr) simulatorBeginCall();
}

std::string EndAccount(const char* function) {
  if (&simulatorEndCall == nullptr) return "";
  CudasimCallAccount account{};
  simulatorEndCall(&account);
  return account.output_bytes_from_host > kUsualHostBytes ? Warning(function, account) : "";
}

}  // namespace lab
