#include "common/cudasim/profile/kernel_profile.h"

#include <algorithm>
#include <string_view>

namespace cudasim {
namespace {

bool Same(const dim3& a, const dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool Matches(const KernelProfile& profile, const Grid& grid) {
  return profile.source.line == grid.source.line && Same(profile.grid, grid.extent) &&
         Same(profile.block, grid.block_extent) && profile.dynamic_bytes == grid.dynamic_bytes &&
         std::string_view(profile.source.name) == grid.source.name &&
         std::string_view(profile.source.file) == grid.source.file;
}

}  // namespace

const char* NameOf(LineKind kind) {
  static constexpr const char* kNames[kLineKinds] = {"global_load",   "global_store",
                                                     "global_atomic", "shared_load",
                                                     "shared_store",  "shared_atomic"};
  return kNames[static_cast<unsigned>(kind)];
}

void LineCounts::Add(const LineCounts& other) {
  requests += other.requests;
  lanes += other.lanes;
  sectors += other.sectors;
  ideal_sectors += other.ideal_sectors;
  lines += other.lines;
  near_sectors += other.near_sectors;
  middle_sectors += other.middle_sectors;
  wavefronts += other.wavefronts;
  ideal_wavefronts += other.ideal_wavefronts;
  sass_wavefronts += other.sass_wavefronts;
  contended += other.contended;
  float_lanes += other.float_lanes;
  passes += other.passes;
  spinning += other.spinning;
  combined_lanes += other.combined_lanes;
  combined_passes += other.combined_passes;
  waits.Add(other.waits);
  worst_degree = std::max(worst_degree, other.worst_degree);
  bytes = std::max(bytes, other.bytes);
  strides.Add(other.strides);
  samples.Add(other.samples);
}

std::vector<KernelProfile>& Profiles() {
  static auto* const profiles = new std::vector<KernelProfile>;
  return *profiles;
}

KernelProfile& ProfileOf(const Grid& grid) {
  std::vector<KernelProfile>& profiles = Profiles();
  const auto found = std::find_if(profiles.begin(), profiles.end(),
                                  [&](const KernelProfile& p) { return Matches(p, grid); });
  if (found != profiles.end()) return *found;
  KernelProfile profile;
  profile.source = grid.source;
  profile.grid = grid.extent;
  profile.block = grid.block_extent;
  profile.dynamic_bytes = grid.dynamic_bytes;
  profiles.push_back(std::move(profile));
  return profiles.back();
}

}  // namespace cudasim
