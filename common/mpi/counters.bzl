"""The catalogue of counters of message-passing programs, in the form of
//common/cudasim/profile:counters.bzl. All are counted over a whole call, by the ranks' calls of MPI.

Only literals may stand here, because Python reads this file, too.
"""

COUNTERS = {
    "messages": {
        "words": "messages from rank to rank",
        "value_of_call": "counts.messages",
    },
    "message_bytes": {
        "words": "bytes in messages from rank to rank",
        "value_of_call": "counts.message_bytes",
    },
    "message_chain": {
        "words": "messages on the longest chain of those that wait for each other",
        "value_of_call": "counts.message_chain",
    },
    "byte_chain": {
        "words": "bytes on the longest chain of messages that wait for each other",
        "value_of_call": "counts.byte_chain",
    },
    "busiest_rank_bytes": {
        "words": "bytes that one rank sends and receives, at most",
        "value_of_call": "counts.busiest_rank_bytes",
    },
    "collectives": {
        "words": "calls of collectives, by all ranks",
        "value_of_call": "counts.collectives",
    },
    "collective_bytes": {
        "words": "bytes that ranks pass to collectives",
        "value_of_call": "counts.collective_bytes",
    },
    "overlapped_bytes": {
        "words": "bytes of outputs that ranks write between a send and the next receive",
        "value_of_call": "counts.overlapped_bytes",
    },
}
