"""A report of ThreadSanitizer in the student's lines."""

from common.lab.race_checker.tsan_summary import pause_summary, summary

HEAD = "==================\nWARNING: ThreadSanitizer: data race (pid=2)\n"
WRITE = "  Write of size 8 at 0x7b by thread T3 (mutexes: write M0, read M1):\n"
READ = "\n  Previous atomic read of size 8 at 0x7b by main thread:\n"
OTHERS = (
    "    #0 memset <null> (sum_test+0x2)\n"
    "    #1 std::sort() /usr/include/c++/12/bits/stl_algo.h:4873:7 (sum_test+0x1)\n"
)
FOREIGN = (
    "    #3 lab::Call() common/lab/exports/exports.h:58:5 (sum_test+0x4)\n"
    "    #4 T() labs/a/a_test.cc:7\n"
)
SUMMARY = "\nSUMMARY: ThreadSanitizer: data race labs/a/sum.cc:7 in Sum\n"


def own(line: int) -> str:
    function = "Sum(std::span<int, 18446744073709551615ul>)"
    return f"    #2 {function} labs/a/sum.cc:{line}:3 (sum_test+0x3)\n"


def test_shows_what_each_thread_held_and_where_the_memory_is_from() -> None:
    more = (
        "\n  Location is global 'total' of size 8 at 0x7b (sum_test+0x9)\n"
        "\n  Location is heap block of size 40 at 0x7b allocated by main thread:\n"
        + own(3)
        + "\n  Mutex M0 (0x7c) created at:\n"
        + OTHERS
        + "\n  Thread T3 'a b' (tid=4, running) created by main thread at:\n"
        + own(9)
        + FOREIGN
    )
    text = HEAD + WRITE + OTHERS + own(56) + own(80) + FOREIGN + READ + own(51) + more + SUMMARY
    assert summary(text).splitlines() == [
        "data race: the write at sum.cc:56 races with the atomic read of another thread at "
        "sum.cc:51; the thread that was started at sum.cc:9 was not joined before sum.cc:51: join "
        "it first; one that is detached cannot be joined",
        "ThreadSanitizer: data race",
        "  Write by thread T3, holding M0 and M1",
        "    Sum(std::span<int>) at sum.cc:56",
        "    Sum(std::span<int>) at sum.cc:80",
        "  Previous atomic read by main thread, holding no lock",
        "    Sum(std::span<int>) at sum.cc:51",
        "  The memory is the variable total",
        "  The memory was allocated by main thread",
        "    Sum(std::span<int>) at sum.cc:3",
        "  Thread T3 was started by main thread",
        "    Sum(std::span<int>) at sum.cc:9",
    ]


STARTED = "\n  Thread T3 (tid=4, running) created by main thread at:\n" + own(9)


def test_says_that_a_thread_was_not_joined_before_the_one_that_started_it_went_on() -> None:
    text = HEAD + READ.strip("\n").replace("Previous atomic read", "  Read", 1) + "\n" + OTHERS
    after = text.replace("    Read", "  Read") + WRITE.replace("Write", "Previous write") + own(5)
    said = "the thread that was started at sum.cc:9 was not joined before the function returned: "
    assert said in summary(after + STARTED + SUMMARY)
    assert "joined" not in summary(after + STARTED.replace("main thread", "thread T1") + SUMMARY)
    assert "joined" not in summary(after + STARTED + "    #8 a <null> (libomp.so.5+0x1)\n")
    locked = after.replace("main thread:", "main thread (mutexes: write M7):")
    assert "joined" not in summary(locked + STARTED + SUMMARY)


def test_names_the_known_access_first() -> None:
    assert summary(HEAD + WRITE + OTHERS + READ + own(5) + SUMMARY).startswith(
        "data race: the atomic read at sum.cc:5 races with the write of another thread\n"
    )


def test_shows_the_order_of_two_locks() -> None:
    text = (
        "WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=2)\n"
        "  Cycle in lock order graph: M0 (0x7b) => M1 (0x7c) => M0\n\n"
        "  Mutex M1 acquired here while holding mutex M0 in thread T3:\n"
        + OTHERS
        + own(13)
        + "\n  Mutex M0 previously acquired by the same thread here:\n"
        + own(12)
    )
    assert summary(text).splitlines() == [
        "ThreadSanitizer: lock-order-inversion (potential deadlock)",
        "  M1 was locked by thread T3",
        "    Sum(std::span<int>) at sum.cc:13",
        "  M0 had been locked by the same thread",
        "    Sum(std::span<int>) at sum.cc:12",
    ]


def test_says_nothing_without_a_line_of_the_student() -> None:
    assert summary(HEAD + WRITE + OTHERS + READ + FOREIGN + SUMMARY) == ""
    assert summary("LLVMSymbolizer: error\n") == ""


def test_shows_the_places_of_a_pause_that_explain_how_a_test_ended() -> None:
    pauses = (
        f"WARNING: changed before a store\n{own(3)}{FOREIGN}  and\n{own(4)}"
        f"WARNING: lost signal\n{OTHERS}{own(7)}"
    )
    assert pause_summary(pauses, "wrong_answer").splitlines() == [
        "between the atomic read at sum.cc:3 and the write at sum.cc:4 another thread changed the "
        "value, and the write undoes that. Make both one atomic operation, or hold a lock over "
        "both",
        "Another thread came between",
        "  Before another thread came",
        "    Sum(std::span<int>) at sum.cc:3",
        "  After",
        "    Sum(std::span<int>) at sum.cc:4",
    ]
    assert pause_summary(pauses, "time_limit").startswith("the signal at sum.cc:7 was lost: ")
    assert pause_summary(pauses, "crash") == ""
