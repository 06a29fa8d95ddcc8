#include "common/cudasim/profile/request_samples.h"

#include <algorithm>
#include <tuple>

#include "common/cudasim/runtime/diagnostics/settings.h"

namespace cudasim {
namespace {

bool WastesLess(const RequestSample& a, const RequestSample& b) {
  return std::tuple(a.cost.waste(), a.cost.taken) < std::tuple(b.cost.waste(), b.cost.taken);
}

Samples Setting() {
  static const Samples setting = ProfileSamplesSetting();
  return setting;
}

}  // namespace

bool KeepsSamples() { return Setting() != Samples::kNone; }
bool KeepsTraces() { return Setting() == Samples::kAll; }

RequestSample* RequestSamples::Count(RequestCost cost) {
  if (last_ < samples_.size() && samples_[last_].cost == cost) {
    ++samples_[last_].requests;
    return nullptr;
  }
  const auto found = std::find_if(samples_.begin(), samples_.end(),
                                  [&](const RequestSample& s) { return s.cost == cost; });
  last_ = static_cast<std::size_t>(found - samples_.begin());
  if (found != samples_.end()) {
    ++found->requests;
    return nullptr;
  }
  if (samples_.size() == kMost) return nullptr;
  samples_.push_back({.cost = cost, .requests = 1});
  return &samples_.back();
}

void RequestSamples::Add(const RequestSamples& other) {
  for (const RequestSample& sample : other.samples_) {
    const auto found = std::find_if(samples_.begin(), samples_.end(),
                                    [&](const RequestSample& s) { return s.cost == sample.cost; });
    if (found == samples_.end()) {
      samples_.push_back(sample);
      continue;
    }
    const std::uint64_t requests = found->requests + sample.requests;
    if (sample.order < found->order) *found = sample;
    found->requests = requests;
  }
}

const RequestSample* RequestSamples::First() const {
  const auto first = std::min_element(
      samples_.begin(), samples_.end(),
      [](const RequestSample& a, const RequestSample& b) { return a.order < b.order; });
  return first == samples_.end() ? nullptr : &*first;
}

const RequestSample* RequestSamples::Median() const {
  std::vector<const RequestSample*> sorted;
  std::uint64_t left = 0;
  for (const RequestSample& sample : samples_) {
    sorted.push_back(&sample);
    left += sample.requests;
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const auto* a, const auto* b) { return WastesLess(*a, *b); });
  left = (left + 1) / 2;
  for (const RequestSample* const sample : sorted) {
    if (sample->requests >= left) return sample;
    left -= sample->requests;
  }
  return nullptr;
}

const RequestSample* RequestSamples::Worst() const {
  const auto worst = std::max_element(samples_.begin(), samples_.end(), WastesLess);
  return worst == samples_.end() ? nullptr : &*worst;
}

}  // namespace cudasim
