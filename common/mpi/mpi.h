#pragma once

// MPI for labs: the standard's header, with calls that tell their lines to reports.

#include <mpi.h>

extern "C" {
// The line of the next call of an MPI function, in the student's file.
void labMpiLine(int line);
}

#define LAB_MPI(function, ...) (labMpiLine(__LINE__), function(__VA_ARGS__))

#define MPI_Send(...) LAB_MPI(MPI_Send, __VA_ARGS__)
#define MPI_Ssend(...) LAB_MPI(MPI_Ssend, __VA_ARGS__)
#define MPI_Recv(...) LAB_MPI(MPI_Recv, __VA_ARGS__)
#define MPI_Sendrecv(...) LAB_MPI(MPI_Sendrecv, __VA_ARGS__)
#define MPI_Sendrecv_replace(...) LAB_MPI(MPI_Sendrecv_replace, __VA_ARGS__)
#define MPI_Probe(...) LAB_MPI(MPI_Probe, __VA_ARGS__)
#define MPI_Iprobe(...) LAB_MPI(MPI_Iprobe, __VA_ARGS__)
#define MPI_Isend(...) LAB_MPI(MPI_Isend, __VA_ARGS__)
#define MPI_Issend(...) LAB_MPI(MPI_Issend, __VA_ARGS__)
#define MPI_Irecv(...) LAB_MPI(MPI_Irecv, __VA_ARGS__)
#define MPI_Send_init(...) LAB_MPI(MPI_Send_init, __VA_ARGS__)
#define MPI_Recv_init(...) LAB_MPI(MPI_Recv_init, __VA_ARGS__)
#define MPI_Start(...) LAB_MPI(MPI_Start, __VA_ARGS__)
#define MPI_Startall(...) LAB_MPI(MPI_Startall, __VA_ARGS__)
#define MPI_Request_free(...) LAB_MPI(MPI_Request_free, __VA_ARGS__)
#define MPI_Wait(...) LAB_MPI(MPI_Wait, __VA_ARGS__)
#define MPI_Waitall(...) LAB_MPI(MPI_Waitall, __VA_ARGS__)
#define MPI_Waitany(...) LAB_MPI(MPI_Waitany, __VA_ARGS__)
#define MPI_Waitsome(...) LAB_MPI(MPI_Waitsome, __VA_ARGS__)
#define MPI_Test(...) LAB_MPI(MPI_Test, __VA_ARGS__)
#define MPI_Testall(...) LAB_MPI(MPI_Testall, __VA_ARGS__)
#define MPI_Testany(...) LAB_MPI(MPI_Testany, __VA_ARGS__)
#define MPI_Testsome(...) LAB_MPI(MPI_Testsome, __VA_ARGS__)
#define MPI_Barrier(...) LAB_MPI(MPI_Barrier, __VA_ARGS__)
#define MPI_Bcast(...) LAB_MPI(MPI_Bcast, __VA_ARGS__)
#define MPI_Scatter(...) LAB_MPI(MPI_Scatter, __VA_ARGS__)
#define MPI_Scatterv(...) LAB_MPI(MPI_Scatterv, __VA_ARGS__)
#define MPI_Gather(...) LAB_MPI(MPI_Gather, __VA_ARGS__)
#define MPI_Gatherv(...) LAB_MPI(MPI_Gatherv, __VA_ARGS__)
#define MPI_Allgather(...) LAB_MPI(MPI_Allgather, __VA_ARGS__)
#define MPI_Allgatherv(...) LAB_MPI(MPI_Allgatherv, __VA_ARGS__)
#define MPI_Alltoall(...) LAB_MPI(MPI_Alltoall, __VA_ARGS__)
#define MPI_Alltoallv(...) LAB_MPI(MPI_Alltoallv, __VA_ARGS__)
#define MPI_Reduce(...) LAB_MPI(MPI_Reduce, __VA_ARGS__)
#define MPI_Allreduce(...) LAB_MPI(MPI_Allreduce, __VA_ARGS__)
#define MPI_Reduce_scatter(...) LAB_MPI(MPI_Reduce_scatter, __VA_ARGS__)
#define MPI_Reduce_scatter_block(...) LAB_MPI(MPI_Reduce_scatter_block, __VA_ARGS__)
#define MPI_Scan(...) LAB_MPI(MPI_Scan, __VA_ARGS__)
#define MPI_Exscan(...) LAB_MPI(MPI_Exscan, __VA_ARGS__)
#define MPI_Comm_split(...) LAB_MPI(MPI_Comm_split, __VA_ARGS__)
#define MPI_Comm_dup(...) LAB_MPI(MPI_Comm_dup, __VA_ARGS__)
#define MPI_Comm_free(...) LAB_MPI(MPI_Comm_free, __VA_ARGS__)
#define MPI_Cart_create(...) LAB_MPI(MPI_Cart_create, __VA_ARGS__)
#define MPI_Cart_sub(...) LAB_MPI(MPI_Cart_sub, __VA_ARGS__)
