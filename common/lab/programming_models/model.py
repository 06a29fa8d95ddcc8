"""What the grader and the public test know of a programming model."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from common.lab.programming_models.phases import Phase

THREAD_SANITIZER = (
    *("__tsan_init", "__tsan_func_*", "__tsan_vptr_*", "__tsan_atomic*", "__tsan_read*"),
    *("__tsan_write*", "__tsan_unaligned_*", "__tsan_volatile_*", "__tsan_mem*", "__tsan_lab_*"),
)
"""Patterns of what its instrumentation calls; its other functions suppress its reports."""
ADDRESS_SANITIZER = ("__asan_*", "__ubsan_*", "__sanitizer_annotate_contiguous_container")
"""The same, with UndefinedBehaviorSanitizer."""


@dataclass(frozen=True)
class ModelPolicy:
    """What no lab of the model allows, in addition to what no lab of any model does."""

    words: tuple[str, ...] = ()
    """Patterns of words in the text."""
    known: tuple[str, ...] = ()
    """Patterns of names that begin with two underscores and are alike in all of its compilers;
    others are refused. Empty, where there is one compiler: any but builtin functions."""
    usual_headers: tuple[str, ...] = ()
    """Headers that a lab allows by the word "usual" in its list."""
    headers: tuple[str, ...] = ()
    """Patterns of headers that a lab without a list of headers refuses: they do a lab's work."""
    symbols: tuple[str, ...] = ()
    """Patterns of functions; a lab may allow some."""
    runtime: tuple[str, ...] = ()
    """Patterns of functions of the model's own library that a submission may use."""
    instead: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    """What to do instead of functions that match patterns; the first match counts."""
    instrumentation: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Patterns of functions that the compiler's instrumentation calls, by build."""
    unseen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Patterns of functions whose accesses a build does not see."""


@dataclass(frozen=True)
class ProgrammingModel:
    """A programming model of labs. Its targets and builds are described in Starlark, in
    //common/lab/private:models.bzl and in the models.bzl of the grader's kit."""

    name: str
    """In lab.toml and in the kit's manifest."""
    language: str
    """What the names of students' files end with, without the dot."""
    policy: ModelPolicy
    phases: tuple[Phase, ...]
    """The runs of the checker, in order."""
    ceilings: Mapping[str, float]
    """The classes of lazy programs that every lab with points for performance has, and the most
    points that each may earn."""
    clocked: frozenset[str] = frozenset()
    """Those of them that only a clock proves."""
    diagnosis: Mapping[str, str] = field(default_factory=dict)
    """Options of `bazel test` that repeat a finding at home, by verdict."""
    runtime_mb: int = 0
    """Address space that the model's runtime reserves, in MiB."""
    ranks: bool = False
    """Whether a program is several processes, which pass messages."""
    schedule_variable: str = ""
    """The environment variable by which a seed chooses the runtime's schedule; empty: none."""

    @property
    def counters(self) -> bool:
        """Whether kernels are counted: thresholds on counters, work and span. Otherwise parallelism
        is measured from the threads of a team."""
        return any(phase.name == "counters" for phase in self.phases)

    @property
    def gpu(self) -> bool:
        """Whether calls may be timed on a GPU."""
        return any(phase.gpu_build for phase in self.phases)
