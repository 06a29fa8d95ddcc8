// Reads through the read-only cache, of textures, surfaces and __ldg(), which does not see what the
// same launch writes (CUDA C++ Programming Guide, sections "Texture and Surface Memory",
// "Read/Write Coherency", and "Read-Only Data Cache Load Function"; PTX ISA, "ld.global.nc").
#include <algorithm>

#include "common/cudasim/check/bad_access.h"
#include "common/cudasim/check/check_access.h"
#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/global_shadow.h"
#include "common/cudasim/check/launch_findings.h"
#include "common/cudasim/check/shadow_cells.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/memory/heap.h"

namespace cudasim {
namespace {

// A write of the running launch to some of the bytes `mask` of the word; 0 if no cell tells of one.
ShadowCell FindWrite(const Shadow& shadow, std::size_t word, unsigned mask) {
  for (const ShadowCell cell : Load(shadow, word, 0)) {
    const bool touches = (Touched(cell) & mask) != 0 && (cell & kWrote) != 0;
    if (touches && EpochOf(cell) >= checked_grid.first) return cell;
  }
  return 0;
}

// What the reports of the two kinds of read say.
struct CacheWords {
  Kind kind;
  const char* read;
  const char* cause;
};

constexpr CacheWords kTextureWords{
    "stale_texture_read", "texture or surface read",
    "the texture cache does not see writes of its own launch: read in the next launch"};
constexpr CacheWords kLdgWords{
    "data_race", "__ldg() read",
    "__ldg() reads through the read-only cache, which does not see writes of its own "
    "launch, even behind a barrier or a fence: read the variable itself"};

void ReportStale(const Access& access, ShadowCell write, const CacheWords& words) {
  if (CountedAgain(*launch_findings.bad_accesses, access.pc)) return;
  const ThreadId writer = ThreadIdOf(write);
  const Place place = Locate(access.pc);
  const Place written = Locate(codes.places[CodeOf(write)]);
  Finding finding{
      words.kind,
      DescribeKernel() + ", " + place.ToString() + ": " + words.read +
          " of memory that the same launch has written at " + written.ToString(),
      {DescribeCurrentThread(), DescribeThread(writer) + ": write at " + written.ToString(),
       "memory: " + DescribeMemory(access), DescribeLaunch(), words.cause},
      {{"read", place, ToString(threadIdx), ToString(blockIdx)},
       {"write", written, DescribeIndexOf(writer), DescribeBlockOf(writer)}}};
  NameMemory(access, finding);
  launch_findings.bad_accesses->emplace(access.pc, Report(finding));
}

}  // namespace

void OnCachedRead(const char* address, std::size_t bytes, const void* pc, bool is_ldg) {
  if (!DeviceHeap::Contains(address)) return;
  const std::size_t begin = DeviceHeap::Offset(address), end = begin + bytes;
  for (std::size_t at = begin; at < end;) {
    const std::size_t word = at / kWordBytes;
    const std::size_t next = std::min(end, (word + 1) * kWordBytes);
    const auto mask = static_cast<unsigned>(((1u << (next - at)) - 1) << at % kWordBytes);
    if (const ShadowCell write = FindWrite(GlobalShadow(), word, mask)) {
      ReportStale(
          {const_cast<char*>(address), static_cast<unsigned>(bytes), Operation::kRead, false, pc},
          write, is_ldg ? kLdgWords : kTextureWords);
      return;
    }
    at = next;
  }
}

void OnFetch(const char* address, std::size_t bytes, const void* pc) {
  OnCachedRead(address, bytes, pc, false);
  in_kernel = true;
  OnPlainRead(const_cast<char*>(address), pc, static_cast<unsigned>(bytes));
  in_kernel = false;
}

}  // namespace cudasim
