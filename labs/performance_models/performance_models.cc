// Your solution to the lab "Performance models": this is the only file you edit and hand in.
// The contract, what each function gets and must give, is in performance_models.h; the ideas are in
// README.md.

#include "labs/performance_models/performance_models.h"

#include "common/lab/not_written.h"

std::optional<double> AmdahlSpeedup([[maybe_unused]] double serial_fraction,
                                    [[maybe_unused]] std::int64_t processors) {
  LAB_NOT_WRITTEN();
}

std::optional<double> GustafsonSpeedup([[maybe_unused]] double serial_fraction,
                                       [[maybe_unused]] std::int64_t processors) {
  LAB_NOT_WRITTEN();
}

std::optional<WorkAndSpan> MeasureTasks([[maybe_unused]] std::span<const std::int64_t> costs,
                                        [[maybe_unused]] std::span<const Dependence> dependences) {
  LAB_NOT_WRITTEN();
}

std::optional<TimeBounds> BoundTime([[maybe_unused]] WorkAndSpan tasks,
                                    [[maybe_unused]] std::int64_t processors) {
  LAB_NOT_WRITTEN();
}

std::optional<Occupancy> FitBlocks([[maybe_unused]] Multiprocessor machine,
                                   [[maybe_unused]] Launch launch) {
  LAB_NOT_WRITTEN();
}

std::optional<std::int32_t> CountSectors([[maybe_unused]] WarpAccess access) { LAB_NOT_WRITTEN(); }

std::optional<BankCost> CountWavefronts([[maybe_unused]] WarpAccess access) { LAB_NOT_WRITTEN(); }

std::optional<Rating> RateKernel([[maybe_unused]] KernelCounts kernel,
                                 [[maybe_unused]] Machine machine) {
  LAB_NOT_WRITTEN();
}

std::optional<FormatBytes> CompareFormats(
    [[maybe_unused]] std::span<const std::int32_t> row_lengths,
    [[maybe_unused]] std::int32_t index_bytes, [[maybe_unused]] std::int32_t value_bytes) {
  LAB_NOT_WRITTEN();
}

std::optional<HybridLayout> ChooseHybridWidth(
    [[maybe_unused]] std::span<const std::int32_t> row_lengths,
    [[maybe_unused]] std::int32_t index_bytes, [[maybe_unused]] std::int32_t value_bytes) {
  LAB_NOT_WRITTEN();
}

std::optional<HaloCells> CountHalo([[maybe_unused]] std::span<const std::int64_t> extents,
                                   [[maybe_unused]] std::int64_t radius,
                                   [[maybe_unused]] Stencil stencil) {
  LAB_NOT_WRITTEN();
}

std::optional<std::int64_t> LargestTile([[maybe_unused]] std::int64_t shared_bytes,
                                        [[maybe_unused]] std::int32_t element_bytes,
                                        [[maybe_unused]] std::int32_t dimensions,
                                        [[maybe_unused]] std::int64_t radius) {
  LAB_NOT_WRITTEN();
}
