#include "labs/mpi_matrix/matrix.h"

#include <mpi.h>

#include "common/lab/not_written.h"

void MultiplyByRows(LocalSpan<const double> /*a*/, LocalSpan<const double> /*x*/,
                    LocalSpan<double> /*y*/, int /*rows*/, int /*columns*/) {
  LAB_NOT_WRITTEN();
}

void MultiplyByColumns(LocalSpan<const double> /*a*/, LocalSpan<const double> /*x*/,
                       LocalSpan<double> /*y*/, int /*rows*/, int /*columns*/) {
  LAB_NOT_WRITTEN();
}

void MultiplyOnGrid(LocalSpan<const double> /*a*/, LocalSpan<const double> /*b*/,
                    LocalSpan<double> /*c*/, int /*n*/) {
  LAB_NOT_WRITTEN();
}
