#include "common/cudasim/runtime/diagnostics/settings.h"

#include <algorithm>
#include <array>
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

// One of two or three words.
struct Choice {
  const char* name;
  std::array<const char*, 3> words;  // null after the last
  const char* next;

  std::string Limit() const {
    if (words[2] == nullptr) return std::string(words[0]) + " or " + words[1];
    return std::string(words[0]) + ", " + words[1] + " or " + words[2];
  }
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
constexpr Choice kStreams{"CUDASIM_STREAMS", {"eager", "lazy"}, "set it to eager or lazy"};
constexpr Choice kContinue{"CUDASIM_CONTINUE", {"0", "1"}, "set it to 1 to report all findings"};
constexpr Choice kTable{"CUDASIM_PROFILE_TABLE", {"0", "1"}, "set it to 1 to print the table"};
constexpr Choice kSamples{
    "CUDASIM_PROFILE_SAMPLES", {"0", "1", "worst"}, "set it to 1 to write what pictures show"};
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

// The word's index.
std::optional<std::size_t> Parse(const Choice& choice, const char* text) {
  if (text == nullptr) return std::nullopt;
  const auto found = std::ranges::find_if(choice.words, [&](const char* word) {
    return word != nullptr && std::strcmp(text, word) == 0;
  });
  if (found == choice.words.end()) Die(choice.name, text, choice.Limit(), choice.next);
  return static_cast<std::size_t>(found - choice.words.begin());
}

std::optional<std::size_t> Read(const Choice& choice) {
  return Parse(choice, std::getenv(choice.name));
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
    Read(choice);
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
std::optional<bool> LazyStreamsSetting() {
  const std::optional<std::size_t> choice = Read(kStreams);
  return choice ? std::optional(*choice != 0) : std::nullopt;
}

bool ContinueSetting() {
  std::ifstream file("/proc/self/environ");
  for (std::string entry; std::getline(file, entry, '\0');) {
    if (entry == std::string(kContinue.name) + "=" + kContinue.words[1]) return true;
  }
  return false;
}

const char* LogFileSetting() { return ReadFileName(kLog); }
const char* ReportFileSetting() { return ReadFileName(kReport); }
const char* ProfileFileSetting() { return ReadFileName(kProfile); }
bool ProfileTableSetting() { return Read(kTable).value_or(0) != 0; }
Samples ProfileSamplesSetting() { return static_cast<Samples>(Read(kSamples).value_or(0)); }

}  // namespace cudasim
