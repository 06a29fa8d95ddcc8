#include "labs/mpi_stencil/stencil.h"

#include <mpi.h>

#include "common/lab/not_written.h"

void ExchangeRows(LocalSpan<double> /*band*/, std::size_t /*columns*/, bool /*is_ring*/) {
  LAB_NOT_WRITTEN();
}

void ExchangeBlocks(LocalSpan<double> /*block*/, PlateSize /*size*/, RankGrid /*grid*/,
                    bool /*is_torus*/) {
  LAB_NOT_WRITTEN();
}

void OverlappedStep(LocalSpan<double> /*band*/, LocalSpan<double> /*after*/,
                    std::size_t /*columns*/, bool /*is_ring*/) {
  LAB_NOT_WRITTEN();
}

std::size_t Converge(LocalSpan<double> /*band*/, std::size_t /*columns*/, bool /*is_ring*/,
                     double /*tolerance*/, LocalSpan<double> /*changes*/) {
  LAB_NOT_WRITTEN();
}
