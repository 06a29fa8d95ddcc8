// The profile as JSON; README.md describes it.
#include <dlfcn.h>

#include <cstdint>
#include <map>

#include "common/cudasim/instrument/call_account.h"
#include "common/cudasim/profile/code.h"
#include "common/cudasim/profile/findings.h"
#include "common/cudasim/profile/json_fields.h"
#include "common/cudasim/profile/kernel_totals.h"
#include "common/cudasim/profile/profile_report.h"
#include "common/cudasim/profile/samples_json.h"
#include "common/cudasim/runtime/diagnostics/json.h"
#include "common/cudasim/runtime/streams/critical_path.h"
#include "common/cudasim/runtime/streams/timeline.h"

namespace cudasim {
namespace {

constexpr std::size_t kMostWithSamples = std::size_t{1} << 19;  // bytes, of the worst requests

std::string Extent(const dim3& e) {
  return "[" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + "]";
}

std::string CountersJson(const std::vector<Counter>& counters) {
  std::string text;
  for (const Counter& counter : counters) {
    text += (text.empty() ? "\n        " : ",\n        ") + JsonQuoted(counter.name) + ": " +
            (counter.text.empty() ? JsonNumber(counter.value) : JsonQuoted(counter.text));
  }
  return "{" + text + "\n      }";
}

bool IsGlobal(LineKind kind) { return kind <= LineKind::kGlobalAtomic; }
bool IsAtomic(LineKind kind) {
  return kind == LineKind::kGlobalAtomic || kind == LineKind::kSharedAtomic;
}

std::string LineJson(const LineFinding& line, bool has_samples) {
  const LineCounts& c = line.counts;
  Fields fields;
  fields.Add("file", JsonQuoted(line.file));
  fields.Add("line", line.line);
  fields.Add("operation", JsonQuoted(NameOf(line.kind)));
  fields.Add("target", JsonQuoted(line.target.name));
  fields.Add("requests", c.requests);
  fields.Add("lanes_per_request", Ratio(c.lanes, c.requests, 0));
  if (IsGlobal(line.kind)) {
    fields.Add("sectors", c.sectors);
    fields.Add("ideal_sectors", c.ideal_sectors);
    fields.Add("sectors_per_request", Ratio(c.sectors, c.requests, 0));
    fields.Add("efficiency", Ratio(c.ideal_sectors, c.sectors, 1));
  } else {
    fields.Add("wavefronts", c.wavefronts);
    fields.Add("ideal_wavefronts", c.ideal_wavefronts);
    fields.Add("wavefronts_per_request", Ratio(c.wavefronts, c.requests, 0));
    fields.Add("conflict_degree", c.worst_degree);
  }
  if (IsAtomic(line.kind)) fields.Add("serialisation", Ratio(c.contended, c.requests, 0));
  if (c.strides.IsRegular()) {
    fields.Add("stride_bytes", static_cast<double>(c.strides.Typical()));
  }
  fields.Add("advice", JsonQuoted(line.advice));
  if (has_samples) AddSamples(line, fields);
  return fields.Take();
}

// Where the file that holds the first kernel was loaded.
std::uintptr_t LoadedAt() {
  Dl_info file{};
  dladdr(FromCodeOffset(kFirstKernel), &file);
  return reinterpret_cast<std::uintptr_t>(file.dli_fbase);
}

// [[address in the file, runs], ...]: how often warps ran each basic block.
std::string BlocksJson(const KernelProfile& profile) {
  const std::uintptr_t base = LoadedAt();
  const std::map<CodeOffset, BlockRuns> sorted(profile.blocks.begin(), profile.blocks.end());
  std::string text;
  for (const auto& [pc, block] : sorted) {
    const auto address = reinterpret_cast<std::uintptr_t>(FromCodeOffset(pc)) - base;
    text += (text.empty() ? "[" : ", [") + std::to_string(address) + ", " +
            std::to_string(block.runs) + "]";
  }
  return "[" + text + "]";
}

std::string KernelJson(const KernelProfile& profile, bool has_samples) {
  const bool is_library = profile.source.is_library;
  std::string lines;
  for (const LineFinding& line : is_library ? std::vector<LineFinding>() : LinesOf(profile)) {
    lines += (lines.empty() ? "\n        " : ",\n        ") + LineJson(line, has_samples);
  }
  std::string advice;
  for (const std::string& text : is_library ? std::vector<std::string>() : KernelAdvice(profile)) {
    advice += (advice.empty() ? "" : ", ") + JsonQuoted(text);
  }
  return "    {\n      \"kernel\": " + JsonQuoted(profile.source.name) +
         ",\n      \"file\": " + JsonQuoted(profile.source.file) +
         ",\n      \"line\": " + std::to_string(profile.source.line) +
         ",\n      \"grid\": " + Extent(profile.grid) +
         ",\n      \"block\": " + Extent(profile.block) +
         ",\n      \"dynamic_shared_bytes\": " + std::to_string(profile.dynamic_bytes) +
         ",\n      \"library\": " + (is_library ? "true" : "false") +
         ",\n      \"launches\": " + std::to_string(profile.launches) +
         ",\n      \"basic_blocks\": " + BlocksJson(profile) +
         ",\n      \"counters\": " + CountersJson(CountersOf(profile)) + ",\n      \"advice\": [" +
         advice + "],\n      \"lines\": [" + lines + "\n      ]" +
         (has_samples ? ",\n      \"samples\": " + SamplesJson(profile) : "") + "\n    }";
}

std::string KernelsJson(bool has_samples) {
  std::string kernels;
  for (const KernelProfile& profile : Profiles()) {
    kernels += (kernels.empty() ? "\n" : ",\n") + KernelJson(profile, has_samples);
  }
  return kernels;
}

}  // namespace

std::string ProfileAsJson() {
  std::string kernels = KernelsJson(KeepsSamples());
  // A grader reads so much and no more; what it counts comes before what it draws.
  const bool is_long = kernels.size() > kMostWithSamples;
  if (KeepsSamples() && !KeepsTraces() && is_long) kernels = KernelsJson(false);
  Fields reasons;
  for (const NotGradable& counter : CountersNotGradable()) {
    reasons.Add(counter.name, JsonQuoted(counter.reason));
  }
  Fields call;
#include "common/cudasim/profile/call_counters.inc"
  return "{\n  \"schema\": 1,\n  \"device\": \"NVIDIA H100 80GB HBM3\",\n  \"not_gradable\": " +
         reasons.Take() + ",\n  \"call\": " + call.Take() + ",\n  \"kernels\": [" + kernels +
         "\n  ]" + (KeepsTraces() ? ",\n  \"calls\": " + CallsJson(CallSamples()) : "") + "\n}\n";
}

}  // namespace cudasim
