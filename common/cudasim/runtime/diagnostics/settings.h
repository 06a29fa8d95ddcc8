// Settings from environment variables.
//
// All variables are checked when the process starts: an invalid value ends it with a message.  Each
// is read when it is needed.
#pragma once

#include <cstddef>
#include <optional>

namespace cudasim {

// CUDASIM_THREADS: OS threads that run plain mode's blocks, 1 to kMaxTeam.
constexpr unsigned kMaxTeam = 32;
std::optional<unsigned> ThreadsSetting();

// CUDASIM_MEMORY_MB: device memory.
std::optional<std::size_t> MemoryBytesSetting();

// CUDASIM_SHADOW_MB: check mode's shadow memory.
std::optional<std::size_t> ShadowBytesSetting();

// CUDASIM_COOPERATIVE_THREADS: the most threads of a cooperative launch.
std::optional<std::size_t> CooperativeThreadsSetting();

// CUDASIM_TIMEOUT_S: CPU time without progress that ends a launch; 0 never does.
std::optional<long> TimeoutSecondsSetting();

// CUDASIM_SCHEDULE: the seed by which check mode switches threads; 0: only where they wait.
unsigned long long ScheduleSetting();

// CUDASIM_STREAMS: true if lazy.
std::optional<bool> LazyStreamsSetting();

// CUDASIM_CONTINUE as the process was started with: code under check cannot set it for itself.
bool ContinueSetting();

// CUDASIM_LOG, CUDASIM_REPORT and CUDASIM_PROFILE: files to write; null without.
const char* LogFileSetting();
const char* ReportFileSetting();
const char* ProfileFileSetting();

bool ProfileTableSetting();  // CUDASIM_PROFILE_TABLE

// CUDASIM_PROFILE_SAMPLES: what a profile has for pictures. kWorst: of each line the request that
// wastes most, and the branches.
enum class Samples { kNone, kAll, kWorst };
Samples ProfileSamplesSetting();

}  // namespace cudasim
