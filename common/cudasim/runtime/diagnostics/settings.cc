#include "common/cudasim/runtime/diagnostics/settings.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "common/cudasim/runtime/device/device.h"
#include "common/cudasim/runtime/diagnostics/json.h"

namespace cudasim {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

struct Number {
  const char* name;
  std::size_t low;
  std::size_t high;
  const char* next;
};

// One of two words.
struct Choice {
  const char* name;
  const char* off;
  const char* on;
  const char* next;
};

constexpr Number kThreads{"CUDASIM_THREADS", 1, kMaxTeam, "give the number of OS threads to use"};
constexpr Number kMemory{"CUDASIM_MEMORY_MB", 1, kAddressRangeBytes / kMegabyte,
                         "give the megabytes of device memory"};
constexpr Number kShadow{"CUDASIM_SHADOW_MB", 1, 8 * kAddressRangeBytes / kMegabyte,
                         "give the megabytes that check mode may use for shadow memory"};
constexpr Number kCooperative{"CUDASIM_COOPERATIVE_THREADS", kMaxThreads,
                              kMultiprocessors* kMaxResidentThreads,
                              "give the most threads of a cooperative launch"};
constexpr Number kTimeout{
    "CUDASIM_TIMEOUT_S", 0, 1'000'000,
    "give the seconds after which a kernel without progress is ended, 0 for never"};
constexpr Number kSchedule{"CUDASIM_SCHEDULE", 0, std::size_t{1} << 32,
                           "give a seed, or 0 to switch threads only where they wait"};
constexpr Choice kStreams{"CUDASIM_STREAMS", "eager", "lazy", "set it to eager or lazy"};
constexpr Choice kContinue{"CUDASIM_CONTINUE", "0", "1", "set it to 1 to report all findings"};
constexpr Choice kTable{"CUDASIM_PROFILE_TABLE", "0", "1", "set it to 1 to print the table"};
constexpr Choice kSamples{"CUDASIM_PROFILE_SAMPLES", "0", "1",
                          "set it to 1 to write what pictures show"};
constexpr char kLog[] = "CUDASIM_LOG";
constexpr char kReport[] = "CUDASIM_REPORT";
constexpr char kProfile[] = "CUDASIM_PROFILE";

[[noreturn]] void Die(const char* name, const char* text, const std::string& limit,
                      const char* next) {
  std::fprintf(stderr, "error: %s: %s, limit %s\n  next: %s\n", name, JsonQuoted(text).c_str(),
               limit.c_str(), next);
  std::exit(1);
}

std::optional<std::size_t> Read(const Number& number) {
  const char* const text = std::getenv(number.name);
  if (text == nullptr) return std::nullopt;
  std::size_t value = 0;
  const char* const end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, value);
  if (error != std::errc() || rest != end || value < number.low || value > number.high) {
    Die(number.name, text, std::to_string(number.low) + " to " + std::to_string(number.high),
        number.next);
  }
  return value;
}

std::optional<bool> Parse(const Choice& choice, const char* text) {
  if (text == nullptr) return std::nullopt;
  const bool on = std::strcmp(text, choice.on) == 0;
  if (!on && std::strcmp(text, choice.off) != 0) {
    Die(choice.name, text, std::string(choice.off) + " or " + choice.on, choice.next);
  }
  return on;
}

const char* ReadFileName(const char* name) {
  const char* const text = std::getenv(name);
  if (text != nullptr && *text == '\0') Die(name, text, "1 character or more", "name a file");
  return text;
}

std::optional<std::size_t> ReadBytes(const Number& megabytes) {
  const std::optional<std::size_t> count = Read(megabytes);
  return count ? std::optional(*count * kMegabyte) : std::nullopt;
}

__attribute__((constructor)) void CheckAll() {
  for (const Number& number : {kThreads, kMemory, kShadow, kCooperative, kTimeout, kSchedule})
    Read(number);
  for (const Choice& choice : {kStreams, kContinue, kTable, kSamples}) {
    Parse(choice, std::getenv(choice.name));
  }
  for (const char* const name : {kLog, kReport, kProfile}) ReadFileName(name);
}

}  // namespace

std::optional<unsigned> ThreadsSetting() { return Read(kThreads); }
std::optional<std::size_t> MemoryBytesSetting() { return ReadBytes(kMemory); }
std::optional<std::size_t> ShadowBytesSetting() { return ReadBytes(kShadow); }
std::optional<std::size_t> CooperativeThreadsSetting() { return Read(kCooperative); }
std::optional<long> TimeoutSecondsSetting() { return Read(kTimeout); }
unsigned long long ScheduleSetting() {
  static const unsigned long long seed = Read(kSchedule).value_or(1);
  return seed;
}
std::optional<bool> LazyStreamsSetting() { return Parse(kStreams, std::getenv(kStreams.name)); }

bool ContinueSetting() {
  std::ifstream file("/proc/self/environ");
  for (std::string entry; std::getline(file, entry, '\0');) {
    if (entry == std::string(kContinue.name) + "=" + kContinue.on) return true;
  }
  return false;
}

const char* LogFileSetting() { return ReadFileName(kLog); }
const char* ReportFileSetting() { return ReadFileName(kReport); }
const char* ProfileFileSetting() { return ReadFileName(kProfile); }
bool ProfileTableSetting() { return Parse(kTable, std::getenv(kTable.name)).value_or(false); }
bool ProfileSamplesSetting() { return Parse(kSamples, std::getenv(kSamples.name)).value_or(false); }

}  // namespace cudasim
