#include "common/lab/call/run_settings.h"

#include <stdexcept>
#include <utility>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LAB_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define LAB_THREAD_SANITIZER 1
#endif

namespace lab {
namespace {

#if defined(LAB_THREAD_SANITIZER)
constexpr std::size_t kDefaultDivisor = 16;
#else
constexpr std::size_t kDefaultDivisor = 1;
#endif

std::optional<RandomKey> chosen_key;
std::size_t scale_divisor = kDefaultDivisor;
bool times_gpu = false;
bool has_scaled = false;

}  // namespace

void SetRandomKey(const RandomKey& key) { chosen_key = key; }

void SetScaleDivisor(std::size_t divisor) {
  if (divisor == 0) throw std::invalid_argument("error: scale divisor: 0, limit at least 1");
  scale_divisor = divisor;
}

bool TakeScaled() { return std::exchange(has_scaled, false); }

void SetTimesGpu(bool value) { times_gpu = value; }

namespace internal {

const std::optional<RandomKey>& ChosenKey() { return chosen_key; }

std::size_t ScaleDivisor() { return scale_divisor; }

void NoteScaled() { has_scaled = true; }

bool TimesGpu() { return times_gpu; }

}  // namespace internal
}  // namespace lab
