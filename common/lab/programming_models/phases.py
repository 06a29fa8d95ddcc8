"""The phases that the checker has; a model's list says which of them its labs have, in order."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Phase:
    """A run of the lab's checker with one of a submission's builds.

    The grader knows, by its name, whom it concerns and what its findings mean.
    """

    name: str
    build: str
    """The kit's."""
    mode: str
    """The checker's."""
    doing: str
    """What the grader does in it, for those who wait."""
    is_slow: bool = False
    """The build keeps several shadow bytes for each byte and runs many times slower."""
    gpu_build: str = ""
    """The build in place of the other where calls are timed on a GPU."""
    sharing_build: str = ""
    """A second build whose accesses are counted."""

    def build_for(self, *, gpu: bool) -> str:
        return self.gpu_build if gpu and self.gpu_build else self.build


TESTS = Phase("tests", "tests", "tests", "testing")
MEMORY = Phase("memory", "memory", "races", "checking memory accesses", is_slow=True)
RACES = Phase("races", "races", "races", "checking for data races", is_slow=True)
COUNTERS = Phase("counters", "counters", "counters", "counting", is_slow=True)
ORDERS = Phase("races", "tests", "races", "testing other orders of the messages")
MESSAGES = Phase("counters", "tests", "counters", "counting messages")
TIMING = Phase("timing", "tests", "timing", "timing", sharing_build="races")
SHARES = Phase("shares", "races", "shares", "counting who shares the work", sharing_build="races")
GPU_TIMING = Phase("timing", "tests", "timing", "timing", gpu_build="gpu")
