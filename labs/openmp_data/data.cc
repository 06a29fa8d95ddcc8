// Your solution to the lab "Data of threads with OpenMP": this is the only file you edit and hand
// in. The contract, what each function gets and must give, is in data.h; the idea is in README.md.

#include "labs/openmp_data/data.h"

#include "common/lab/not_written.h"

Window MedianFilter([[maybe_unused]] std::span<const float> in,
                    [[maybe_unused]] std::span<float> out) {
  LAB_NOT_WRITTEN();
}

void TallyWalks([[maybe_unused]] std::span<const WalkOrder> walks,
                [[maybe_unused]] std::span<const std::uint64_t> weights,
                [[maybe_unused]] std::span<std::uint64_t> scores,
                [[maybe_unused]] std::span<std::uint64_t> counts) {
  LAB_NOT_WRITTEN();
}

void UnpackBoth([[maybe_unused]] std::span<const std::uint64_t> packed_sound,
                [[maybe_unused]] std::span<const std::uint64_t> packed_picture,
                [[maybe_unused]] std::span<std::uint64_t> sound,
                [[maybe_unused]] std::span<std::uint64_t> picture) {
  LAB_NOT_WRITTEN();
}

std::size_t CountKeys([[maybe_unused]] std::span<const std::uint64_t> keys,
                      [[maybe_unused]] std::span<std::uint32_t> heads,
                      [[maybe_unused]] std::span<Entry> entries) {
  LAB_NOT_WRITTEN();
}

std::size_t FindMatch([[maybe_unused]] std::span<const std::uint64_t> candidates,
                      [[maybe_unused]] std::uint64_t target,
                      [[maybe_unused]] std::uint32_t rounds) {
  LAB_NOT_WRITTEN();
}
