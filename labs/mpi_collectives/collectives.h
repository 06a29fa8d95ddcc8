#pragma once

#include "common/mpi/local_span.h"
#include "common/mpi/mpi.h"

// Each function is called by all ranks of MPI_COMM_WORLD at the same time, 1 to 8 of them: p ranks,
// of which `root` is one, the same in all. A LocalSpan is the calling rank's own part. Spans do not
// overlap, and no function changes an input. When a function returns, the rank's outputs are there,
// no request of the rank is under way, and every message that it sent will be received. Messages
// are sent by point-to-point functions of MPI: the lab is about what its collectives do inside.

/// Sends the root's values to all ranks, along a tree.
///
/// @param values  n numbers in each rank, the same n >= 0. Afterwards those that the root had.
/// @param root    The rank with the values.
/// @par Complexity  p - 1 messages of n numbers; no chain of messages that wait for each other is
///                  longer than ceil(log2 p).
/// @par Source      Pacheco, Malensek, An Introduction to Parallel Programming, 2nd edition, 3.4.
void Broadcast(LocalSpan<double> values, int root);

/// Sends each rank its part of the root's values, along a tree.
///
/// @param all   In the root p * n numbers, of which rank r gets those from r * n on; empty in
/// others.
/// @param mine  n numbers in each rank, the same n >= 0.
/// @param root  The rank with the values.
/// @par Complexity  p - 1 messages in all, at most ceil(log2 p) on a chain; a rank receives what is
///                  for itself and for the ranks below it in the tree.
/// @par Source      As above; Thakur, Rabenseifner, Gropp, Optimization of Collective Communication
///                  Operations in MPICH, IJHPCA 2005.
void Scatter(LocalSpan<const double> all, LocalSpan<double> mine, int root);

/// Collects every rank's values in the root, along a tree: the reverse of Scatter.
///
/// @param mine  n numbers in each rank, the same n >= 0.
/// @param all   In the root p * n numbers, afterwards those of rank r from r * n on; empty in
/// others.
/// @param root  The rank that gets the values.
/// @par Complexity, source  As for Scatter.
void Gather(LocalSpan<const double> mine, LocalSpan<double> all, int root);

/// Adds up all ranks' values element by element, on a ring: first each rank gets the sum of one
/// p-th of the elements, then each passes its sums on.
///
/// @param values  n numbers in each rank, the same n >= 0, which p need not divide. Afterwards the
///                sums over all ranks, the same bits in each rank.
/// @par Rounding    p - 1 additions of whole numbers below 2^40: no addition rounds.
/// @par Complexity  2 (p - 1) messages of about n / p numbers for each rank, and on a chain.
/// @par Source      Thakur, Rabenseifner, Gropp, as above; Patarasuk, Yuan, Bandwidth Optimal
///                  All-reduce Algorithms for Clusters of Workstations, JPDC 2009.
void RingAllReduce(LocalSpan<double> values);

/// The same sums by recursive doubling: in step k a rank exchanges all its sums with the one whose
/// number differs in bit k.
///
/// @param values  As for RingAllReduce. p need not be a power of two.
/// @par Complexity  At most ceil(log2 p) + 2 messages of n numbers on a chain.
/// @par Source      As above.
void DoublingAllReduce(LocalSpan<double> values);

/// Every rank sends a part of its values to every rank, in p - 1 exchanges by pairs.
///
/// @param sent      p * n numbers, of which those from r * n on are for rank r; the same n >= 0 in
///                  each rank.
/// @param received  p * n numbers, afterwards those from rank r from r * n on.
/// @par Complexity  p - 1 messages of n numbers for each rank, and on a chain.
/// @par Source      Thakur, Rabenseifner, Gropp, as above.
void AllToAll(LocalSpan<const double> sent, LocalSpan<double> received);
