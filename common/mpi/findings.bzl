"""The catalogue of findings in message-passing programs, in the form of //common/cudasim/findings:findings.bzl.

Only literals may stand here, because Python reads this file, too.
"""

PHRASES = {
    "function": ["{MPI_Send|MPI_Ssend|MPI_Recv|MPI_Sendrecv|MPI_Sendrecv_replace|MPI_Probe|MPI_Isend|MPI_Issend|MPI_Irecv|MPI_Wait|MPI_Waitall|MPI_Waitany|MPI_Waitsome}()", "{collective}()"],
    "collective": ["{MPI_Barrier|MPI_Bcast|MPI_Scatter|MPI_Scatterv|MPI_Gather|MPI_Gatherv|MPI_Allgather|MPI_Allgatherv|MPI_Alltoall|MPI_Alltoallv|MPI_Reduce|MPI_Allreduce|MPI_Reduce_scatter|MPI_Reduce_scatter_block|MPI_Scan|MPI_Exscan|MPI_Comm_split|MPI_Comm_dup|MPI_Cart_create|MPI_Cart_sub}"],
}

COMMON = []

ADVICE = []

COPIES = []

FINDINGS = {
    "stuck_ranks": {
        "look_for": "ranks that wait for each other, or for a message that nobody sends",
        "verdict": "deadlock",
        "says": ["no rank can go on{|, as a send need not return before its message is received}"],
        "adds": [
            "rank {n} waits in {function} at {place}{| for rank {n}{|, tag {n}}}",
            "rank {n} has returned",
        ],
    },
    "collective_mismatch": {
        "look_for": "ranks of a communicator that call different collectives, or one with different roots or counts",
        "verdict": "runtime_error",
        "sentence": "The ranks of a communicator do not call the same collective, so that none can do its work.",
        "next_step": "Let all ranks call the same collectives in the same order, with the same root and counts.",
        "says": ["the ranks of a communicator do not call the same collective"],
        "adds": ["rank {n} calls {collective}() at {place}{| with root {n}} for {n} bytes"],
    },
    "changed_in_flight": {
        "look_for": "a buffer that is written between the start of a send or receive and its wait",
        "verdict": "data_race",
        "says": ["the buffer that {MPI_Isend|MPI_Issend|MPI_Irecv|MPI_Start}() at {place} starts to {send|receive into} is written before that request is complete at {place}"],
        "adds": [],
    },
    "aliased_buffers": {
        "look_for": "MPI_Sendrecv with buffers that overlap",
        "verdict": "runtime_error",
        "sentence": "MPI_Sendrecv sends from the memory into which it receives.",
        "next_step": "Receive into another buffer, or use MPI_Sendrecv_replace.",
        "says": ["the buffers of MPI_Sendrecv() at {place} overlap"],
        "adds": [],
    },
    "truncated": {
        "look_for": "a message longer than the buffer that receives it",
        "verdict": "out_of_bounds",
        "says": ["a message of {n} bytes, sent at {place}, does not fit into the {n} bytes of the receive at {place}"],
        "adds": [],
    },
    "type_mismatch": {
        "look_for": "a message received as elements of another type than those sent",
        "verdict": "runtime_error",
        "sentence": "A message is received as elements of another type than those that were sent.",
        "next_step": "Receive with the type and count of the send.",
        "says": ["a message sent at {place} is received as another type at {place}"],
        "adds": ["sent: {n} bytes in elements of {n}", "received: in elements of {n}"],
    },
    "unfinished": {
        "look_for": "a request without MPI_Wait or MPI_Test",
        "verdict": "runtime_error",
        "sentence": "A nonblocking send or receive is never completed.",
        "next_step": "Wait for each request before the function returns, by MPI_Wait or MPI_Waitall.",
        "says": ["the request that {MPI_Isend|MPI_Issend|MPI_Irecv|MPI_Start}() starts at {place} is never completed: rank {n} returns without a wait for it"],
        "adds": [],
    },
    "unreceived": {
        "look_for": "a message that no rank receives",
        "verdict": "runtime_error",
        "sentence": "A message is sent that no rank receives.",
        "next_step": "Let each send have one receive with its source, tag and communicator.",
        "says": ["the message sent by rank {n} at {place} to rank {n}, tag {n}, is never received"],
        "adds": [],
    },
    "too_many_messages": {
        "look_for": "messages that no rank receives, sent in a loop",
        "verdict": "runtime_error",
        "sentence": "Messages are sent that no rank receives, more and more of them.",
        "next_step": "Let each send have one receive with its source, tag and communicator.",
        "says": ["{n} messages are under way that no rank receives, the last sent at {place}"],
        "adds": [],
    },
    "bad_argument": {
        "look_for": "a rank, root, tag, count or handle that no call may have",
        "verdict": "runtime_error",
        "sentence": "A call of MPI has an argument that no call may have.",
        "next_step": "The line below names the argument and the line of the call.",
        "says": ["an argument at {place} is {a count below 0|a tag below 0|MPI_DATATYPE_NULL|no communicator|no request that is under way|no persistent request that is not under way|a request that is under way|{rank|root} {s} of {n}}"],
        "adds": [],
    },
    "failed_call": {
        "look_for": "arguments that MPI refuses",
        "verdict": "runtime_error",
        "sentence": "MPI refuses a call.",
        "next_step": "Compare the call's arguments with the standard's description of the function.",
        "says": ["{MPI_Send|MPI_Recv|{collective}}() at {place} fails"],
        "adds": [],
    },
}
