#include "labs/mpi_collectives/collectives.h"

#include <mpi.h>

#include "common/lab/not_written.h"

void Broadcast(LocalSpan<double> /*values*/, int /*root*/) { LAB_NOT_WRITTEN(); }

void Scatter(LocalSpan<const double> /*all*/, LocalSpan<double> /*mine*/, int /*root*/) {
  LAB_NOT_WRITTEN();
}

void Gather(LocalSpan<const double> /*mine*/, LocalSpan<double> /*all*/, int /*root*/) {
  LAB_NOT_WRITTEN();
}

void RingAllReduce(LocalSpan<double> /*values*/) { LAB_NOT_WRITTEN(); }

void DoublingAllReduce(LocalSpan<double> /*values*/) { LAB_NOT_WRITTEN(); }

void AllToAll(LocalSpan<const double> /*sent*/, LocalSpan<double> /*received*/) {
  LAB_NOT_WRITTEN();
}
