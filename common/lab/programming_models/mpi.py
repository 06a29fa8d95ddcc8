"""Message passing by MPI: processes on one machine."""

from common.lab.programming_models.model import (
    ADDRESS_SANITIZER,
    ModelPolicy,
    ProgrammingModel,
)
from common.lab.programming_models.phases import MEMORY, MESSAGES, ORDERS, TESTS

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
            *("Reduce", "Allreduce", "Reduce_scatter", "Reduce_scatter_block", "Scan", "Exscan"),
            *("Sendrecv_replace", "Comm_rank", "Comm_size", "Comm_split"),
            *("Comm_dup", "Comm_free", "Cart_create", "Cart_sub", "Cart_coords", "Cart_rank"),
            *("Cart_shift", "Cart_get", "Dims_create", "Get_count", "Wtime", "Type_contiguous"),
            *("Type_vector", "Type_create_subarray", "Type_create_resized", "Type_commit"),
            *("Type_free", "Type_size", "Op_create", "Op_free"),
            *("Send_init", "Recv_init", "Start", "Startall", "Request_free"),
            *("Waitsome", "Testany", "Testsome"),
        )
    ),
)

_INSTEAD = {
    ("MPI_Init*", "MPI_Finalize*", "MPI_Query_thread"): "the ranks run already: remove the call",
    ("MPI_Abort", "MPI_*_errhandler", "MPI_Error_*"): "an error ends all ranks: remove the call",
    ("MPI_[BR]send*", "MPI_I[br]send", "MPI_Buffer_*"): "use MPI_Send or MPI_Isend",
    ("MPI_[BRS]*send_init",): "use MPI_Send_init",
    ("MPI_*[Mm]probe", "MPI_*[Mm]recv"): "use MPI_Probe and MPI_Recv",
    ("MPI_Isendrecv*",): "use MPI_Isend and MPI_Irecv",
    ("MPI_Cancel", "MPI_Test_cancelled", "MPI_Request_get_status"): "use MPI_Test or MPI_Wait",
    ("MPI_Pack*", "MPI_Unpack*", "MPI_Get_elements*"): "send elements of their own type",
    ("MPI_Type_*",): "use MPI_Type_contiguous, MPI_Type_vector or MPI_Type_create_subarray",
    ("MPI_*eighbor*", "MPI_Graph*", "MPI_Dist_graph*"): "use MPI_Cart_create and MPI_Sendrecv",
    ("MPI_Cart_map", "MPI_Cartdim_get", "MPI_Topo_test"): "use MPI_Cart_get",
    ("MPI_Comm_create*", "MPI_Group_*", "MPI_Comm_group", "MPI_Comm_idup*"): "use MPI_Comm_split",
    ("MPI_Comm_*", "MPI_Intercomm_*", "MPI_Open_port", "MPI_Publish_*"): "use MPI_COMM_WORLD",
    ("MPI_Alltoallw", "MPI_Reduce_local"): "use MPI_Alltoallv or MPI_Reduce",
    ("MPI_I[a-z]*",): "use the collective that blocks",
    ("MPI_Win_*", "MPI_Put", "MPI_Get", "MPI_R*", "MPI_*ccumulate", "MPI_*_op"): "use messages",
    ("MPI_File_*",): "use the arguments",
    ("PMPI_*",): "use the function without the P",
}

_MEMORY = "--config=asan"

MPI = ProgrammingModel(
    name="mpi",
    language="cpp",
    policy=ModelPolicy(
        usual_headers=_USUAL_HEADERS,
        runtime=_FUNCTIONS,
        instead=_INSTEAD,
        instrumentation={"memory": ADDRESS_SANITIZER},
        # Processes of the program are its ranks, and one thread of each passes messages.
        symbols=("GOMP_*", "omp_*", "pthread_create", "_ZNSt6thread*"),
    ),
    phases=(TESTS, MEMORY, ORDERS, MESSAGES),
    ceilings={"one_rank": 35, "every_rank": 35, "through_one_rank": 60},
    diagnosis={"out_of_bounds": _MEMORY, "runtime_error": _MEMORY},
    schedule_variable="LAB_MPI_SCHEDULE",
    ranks=True,
)
