"""Profile mode: kernels with known counts, the text of the advice, identical output every time."""

import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from common.cudasim.catalogues import counters
from common.cudasim.findings import findings_page
from common.cudasim.profile import counters_page
from common.cudasim.tests.simulated import PROFILED, profile_of, start

SOURCE = "common/cudasim/tests/profile/kernels.cu"


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    done = start(PROFILED, "kernels", **environment)
    done.check_returncode()
    return done


def profile() -> dict[str, Any]:
    return profile_of("kernels")


def kernel(name: str) -> dict[str, Any]:
    return next(k for k in profile()["kernels"] if k["kernel"] == name)


def advice(name: str) -> list[str]:
    return [line["advice"] for line in kernel(name)["lines"] if line["advice"]]


EXPECTED: dict[str, dict[str, float | str]] = {
    "Coalesced": {
        "global_load_requests": 4096,
        "global_load_sectors_per_request": 4,
        "global_store_sectors_per_request": 4,
        "global_efficiency": 1,
        "compulsory_read_bytes": 2 * 256 * 1024,
        "compulsory_write_bytes": 2 * 256 * 1024,
        "lanes_per_request": 32,
        "occupancy": 1,
        "launches": 2,
    },
    "Parents": {"launches": 1, "child_launches": 0},
    "Offspring": {"launches": 3, "child_launches": 3},
    "Strided": {
        "global_load_sectors_per_request": 4,
        "global_store_sectors_per_request": 32,
        "global_store_efficiency": 0.125,
        "compulsory_write_bytes": 256 * 1024,
    },
    "FetchedColumns": {"global_load_requests": 2, "global_load_sectors": 64, "texture_reads": 64},
    "Transpose": {
        "shared_load_wavefronts": 32 * 2048,
        "shared_load_conflict_degree": 32,
        "shared_store_conflict_degree": 1,
        "barriers": 64,
        "static_shared_bytes": 4096,
    },
    "PaddedTranspose": {
        "shared_load_wavefronts": 2048,
        "shared_conflict_degree": 1,
        "static_shared_bytes": 4224,
    },
    "DivergentReduction": {"barriers": 32, "memory_instructions": 636, "divergent_branches": 192},
    "ConvergentReduction": {"barriers": 32, "memory_instructions": 216, "divergent_branches": 24},
    "StepDown": {"shared_load_requests": 3, "shared_store_requests": 4},
    "GlobalHistogram": {
        "global_atomic_requests": 32,
        "global_atomic_lanes": 1024,
        "global_atomic_sectors": 32,
        "global_atomic_serialisation": 16,
    },
    "SharedTickets": {"shared_atomic_requests": 32, "shared_atomic_wavefronts": 512},
    "Reconverging": {
        "global_load_requests": 20,
        "global_store_requests": 10,
        "branches": 20,
        "divergent_branches": 10,
        "branch_efficiency": 0.5,
    },
    # 32 rounds of one warp.
    "FirstLargest": {"global_load_requests": 32, "global_load_sectors": 32 * 4},
    "LeavesInnerLoop": {"global_load_requests": 32, "global_load_sectors": 32 * 4},
    # In each of 2 launches 4 blocks read 10 rows of 4 sectors.
    "Uneven": {"global_load_sectors": 2 * 10 * 4},
    # 4 blocks of 8 warps, launched with cudaLaunchCooperativeKernel.
    "InStep": {
        "global_load_requests": 3 * 32,
        "global_store_requests": 2 * 32,
        "global_load_sectors": 3 * 32 * 4,
        "global_store_sectors": 2 * 32 * 4,
        "shared_load_wavefronts": 32,
        "shared_store_wavefronts": 32,
        "lanes_per_request": 32,
        "divergent_branches": 0,
        "barriers": 8,
    },
    # 4 blocks of 2 warps, in clusters of 2: one load each from the other block's shared memory.
    "Exchange": {
        "distributed_shared_requests": 8,
        "shared_load_requests": 0,
        "shared_store_requests": 8,
        "global_load_requests": 8,
        "barriers": 8,
        "lanes_per_request": 32,
    },
    "Long": {"global_load_requests": 20000, "global_store_requests": 2},
}


@pytest.mark.parametrize("name", EXPECTED)
def test_counts_what_the_kernel_does(name: str) -> None:
    counters = kernel(name)["counters"]
    assert {key: counters[key] for key in EXPECTED[name]} == EXPECTED[name]


# 65,536 numbers: 8,192 sectors. A sort by two digits reads the keys to count them, too; the
# temporary storage has one store at each end.
OF_LIBRARIES = {
    "thrust::reduce": {
        "global_load_requests": 2048,
        "global_load_sectors": 8192,
        "global_load_efficiency": 1,
        "compulsory_read_bytes": 4 * 65536,
        "launches": 1,
    },
    "cub::DeviceRadixSort::SortKeys": {
        "global_load_sectors": 3 * 8192,
        "global_store_sectors": 2 * 8192 + 2,
    },
}


@pytest.mark.parametrize("name", OF_LIBRARIES)
def test_counts_what_a_librarys_algorithm_would_move(name: str) -> None:
    (found,) = (k for k in profile_of("libraries")["kernels"] if k["kernel"] == name)
    assert {key: found["counters"][key] for key in OF_LIBRARIES[name]} == OF_LIBRARIES[name]
    assert found["library"]
    assert "occupancy" not in found["counters"]


def test_a_divergent_reduction_has_8_lanes_per_request_and_a_convergent_one_24() -> None:
    assert kernel("DivergentReduction")["counters"]["lanes_per_request"] == pytest.approx(8.0, 0.01)
    assert kernel("ConvergentReduction")["counters"]["lanes_per_request"] == pytest.approx(
        23.7, 0.01
    )


@pytest.mark.parametrize("name", ["CopyAhead", "CopyAheadByBarriers"])
def test_copies_are_under_way_until_their_thread_waits(name: str) -> None:
    kernels = [k for k in profile()["kernels"] if k["kernel"] == name]
    in_flight = [k["counters"]["async_bytes_in_flight"] for k in kernels]
    # A round of a warp copies 128 bytes, and arriving at a barrier takes a while, too.
    assert in_flight == pytest.approx([0, 128, 256], abs=16)


def test_copies_by_another_warp_are_under_way_until_somebody_waits() -> None:
    in_flight = kernel("CopiedByAnotherWarp")["counters"]["async_bytes_in_flight"]
    # Two rounds, less what each thread's own clock is ahead: more than a round is sure.
    assert 128 < in_flight < 2 * 128


def test_threads_that_take_turns_by_barriers_in_memory_are_not_parallel() -> None:
    assert parallelism("TurnsByBarriers") < 1.1


def test_one_entry_for_each_configuration_of_a_kernel() -> None:
    shapes = [
        (k["grid"], k["launches"]) for k in profile()["kernels"] if k["kernel"] == "Coalesced"
    ]
    assert shapes == [([256, 1, 1], 2), ([1, 1, 1], 1)]


def test_says_what_to_do_about_strided_stores() -> None:
    assert advice("Strided") == [
        "stores to out[] touch 32 sectors where 4 would do: "
        "neighbouring threads write addresses 1,024 bytes apart"
    ]
    [worst, *_] = kernel("Strided")["lines"]
    assert (worst["file"], worst["line"]) == (SOURCE, 27)
    assert worst["operation"] == "global_store"


def test_says_what_to_do_about_bank_conflicts() -> None:
    assert advice("Transpose") == [
        "tile[][32]: up to 32 lanes hit one bank when they read, 32 on average: pad the row to 33"
    ]
    assert advice("PaddedTranspose") == []


def test_padding_keeps_rows_aligned_for_the_widest_access() -> None:
    assert any(line.endswith(": pad the row to 36") for line in advice("TransposeByFours"))


def test_says_what_to_do_about_contended_atomics() -> None:
    assert advice("GlobalHistogram") == [
        "atomics on bins: 16 of 32 lanes update the same address, one after another: "
        "add up in shared memory or registers first, then update once for each block"
    ]


def test_says_where_warps_diverge_and_nothing_about_good_kernels() -> None:
    assert kernel("DivergentReduction")["advice"] == [
        "divergence: at 192 of 544 branches the lanes of a warp diverge, and each side runs alone: "
        "let whole warps take the same side"
    ]
    for name in ["Coalesced", "PaddedTranspose", "ConvergentReduction"]:
        assert advice(name) == []
        assert kernel(name)["advice"] == []


def parallelism(name: str) -> float:
    counters = kernel(name)["counters"]
    return float(counters["work"] / counters["span"])


def test_work_over_span_is_the_number_of_threads_that_share_the_work() -> None:
    assert parallelism("Coalesced") == pytest.approx(256 * 256)
    assert parallelism("OneAddsUp") == pytest.approx(1, abs=0.02)
    assert parallelism("FewAddUp") == pytest.approx(2, abs=0.2)


def test_says_when_few_threads_do_the_work_of_all() -> None:
    [one] = [text for text in kernel("OneAddsUp")["advice"] if text.startswith("parallelism")]
    assert one == (
        "parallelism: one thread does 99 % of the work, and the others wait for it or have "
        "returned: share the work out"
    )
    [few] = [text for text in kernel("FewAddUp")["advice"] if text.startswith("parallelism")]
    [block] = [text for text in kernel("Long")["advice"] if text.startswith("parallelism")]
    assert block == (
        "parallelism: work / span is 64, so no more of the GPU's 16,896 lanes can be busy on "
        "average: launch more threads that each do less"
    )
    assert few.endswith(
        "with 256 threads: most of them wait, or return while a few go on: "
        "share the work out evenly"
    )


def test_the_call_adds_up_the_kernels_and_what_moves_between_host_and_device() -> None:
    call = profile()["call"]
    kernels = profile()["kernels"]
    assert call["work"] == sum(k["counters"]["work"] for k in kernels)
    # All launches lie in one stream.
    assert call["span"] == sum(k["counters"]["span"] for k in kernels)
    assert call["host_device_bytes"] == 256 * 256 * 4  # `small`


def test_the_same_program_gives_the_same_bytes(tmp_path: Path) -> None:
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path in paths:
        run(CUDASIM_PROFILE=str(path))
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert run().stderr == run().stderr


def test_prints_a_table_unless_only_a_file_is_requested(tmp_path: Path) -> None:
    path = str(tmp_path / "profile.json")
    assert run(CUDASIM_PROFILE=path).stderr == ""
    table = run(CUDASIM_PROFILE=path, CUDASIM_PROFILE_TABLE="1").stderr
    assert table == run().stderr
    assert "Transpose                   1     8,192         4   100 %    32-way" in table
    assert table.endswith("\n262,144 bytes moved between host and device\n")
    assert f"  {SOURCE}:27: stores to out[] touch 32 sectors where 4 would do" in table


def test_every_counter_of_the_catalogue_is_written_and_no_other() -> None:
    of_calls = {entry["name"] for entry in counters() if "value_of_call" in entry}
    assert set(profile()["call"]) == of_calls
    of_kernels = [
        e["name"] for e in counters() if "value" in e or ("over" in e and "of_calls" not in e)
    ]
    for entry in profile()["kernels"]:
        assert list(entry["counters"]) == of_kernels


def test_every_quotient_divides_its_sums() -> None:
    quotients = [e for e in counters() if "over" in e and "of_calls" not in e]
    assert quotients
    for entry in profile()["kernels"]:
        for quotient in quotients:
            over, under = (
                sum(entry["counters"][n] for n in quotient[k]) for k in ("over", "under")
            )
            expected = over / under if under else quotient.get("of_none", 0)
            assert entry["counters"][quotient["name"]] == pytest.approx(expected, rel=1e-8)


def test_the_reason_why_a_counter_must_not_be_graded_is_written() -> None:
    reasons = {e["name"]: e["not_gradable"] for e in counters() if "not_gradable" in e}
    assert profile()["not_gradable"] == reasons


@pytest.mark.parametrize("page", [counters_page, findings_page])
def test_a_page_is_generated_from_its_catalogue(page: ModuleType) -> None:
    path = Path("common/cudasim", page.__name__.rpartition(".")[2].replace("_page", ".md"))
    assert path.read_text(encoding="utf-8") == page.page()
