"""Message passing by MPI: processes on one machine."""

from common.lab.programming_models.model import ModelPolicy, ProgrammingModel
from common.lab.programming_models.phases import MESSAGES, ORDERS, TESTS

_USUAL_HEADERS = (
    *("algorithm", "array", "assert.h", "bit", "cassert", "climits", "cmath", "concepts"),
    *("cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "functional", "iterator", "limits"),
    *("limits.h", "math.h", "memory", "mpi.h", "numeric", "optional", "ranges", "span"),
    *("stddef.h", "stdexcept", "stdint.h", "stdio.h", "stdlib.h", "string", "string.h", "tuple"),
    *("type_traits", "utility", "vector"),
)

# Those that common/mpi/observe records, and others that send nothing. Communication without
# messages, files and the start of processes are left out.
_FUNCTIONS = (
    "labMpiLine",
    *(
        f"MPI_{name}"
        for name in (
            *("Send", "Ssend", "Recv", "Sendrecv", "Probe", "Iprobe", "Isend", "Issend", "Irecv"),
            *("Wait", "Waitall", "Waitany", "Test", "Testall", "Barrier", "Bcast", "Scatter"),
            *("Scatterv", "Gather", "Gatherv", "Allgather", "Allgatherv", "Alltoall", "Alltoallv"),
            *("Reduce", "Allreduce", "Scan", "Exscan", "Comm_rank", "Comm_size", "Comm_split"),
            *("Comm_dup", "Comm_free", "Cart_create", "Cart_sub", "Cart_coords", "Cart_rank"),
            *("Cart_shift", "Cart_get", "Dims_create", "Get_count", "Wtime", "Type_contiguous"),
            *("Type_vector", "Type_create_subarray", "Type_create_resized", "Type_commit"),
            *("Type_free", "Type_size", "Op_create", "Op_free"),
        )
    ),
)

MPI = ProgrammingModel(
    name="mpi",
    language="cpp",
    policy=ModelPolicy(
        usual_headers=_USUAL_HEADERS,
        runtime=_FUNCTIONS,
        # Processes of the program are its ranks, and one thread of each passes messages.
        symbols=("GOMP_*", "omp_*", "pthread_create", "_ZNSt6thread*"),
    ),
    phases=(TESTS, ORDERS, MESSAGES),
    ceilings={"one_rank": 35, "every_rank": 35, "through_one_rank": 60},
    schedule_variable="LAB_MPI_SCHEDULE",
    ranks=True,
)
