"""The pages of profiles: programs whose pictures are known, from profile/pictures.cu."""

import json
import os
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from common.cudasim.pictures.access_map import access_map, histogram
from common.cudasim.pictures.barriers import barriers
from common.cudasim.pictures.branches import divergence
from common.cudasim.pictures.comparison import comparison_page, totals
from common.cudasim.pictures.costs import costs_of, totals_of, worst_first
from common.cudasim.pictures.evidence import Call, Kernel, Line, Profile, profile_of
from common.cudasim.pictures.main import main
from common.cudasim.pictures.occupancy import occupancy
from common.cudasim.pictures.profile_page import profile_page
from common.cudasim.pictures.timelines import critical_path, path_of, streams
from common.cudasim.tests.simulated import PROFILED, start
from common.pictures.picture import Picture

SOURCE = Path("common/cudasim/tests/profile/pictures.cu")
MOVED, USED, WAITS = "area orange hatched", "area blue", "area orange hatched"


@cache
def written(program: str, samples: str = "1") -> str:
    path = Path(os.environ["TEST_TMPDIR"]) / f"{program}{samples}.json"
    done = start(PROFILED, program, CUDASIM_PROFILE=str(path), CUDASIM_PROFILE_SAMPLES=samples)
    done.check_returncode()
    return path.read_text(encoding="utf-8")


def profile(program: str = "accesses") -> Profile:
    return profile_of(json.loads(written(program)))


def kernel(name: str) -> Kernel:
    return next(k for k in profile().kernels if k.name == name)


def line(name: str, operation: str, target: str) -> Line:
    return next(x for x in kernel(name).lines if (x.operation, x.target) == (operation, target))


def only_map(name: str, operation: str, target: str) -> Picture:
    """The map of a line whose requests are all alike."""
    drawn = line(name, operation, target)
    (request,) = drawn.samples
    return access_map(drawn, request)


def boxes(picture: Picture, look: str) -> list[list[float]]:
    """x, y, width and height of all rectangles of this look, in the SVG."""
    svg = ElementTree.fromstring(picture.file())  # noqa: S314 our own
    paths = [path.get("d", "") for path in svg.iter() if path.get("class") == look]
    found = [re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)", path) for path in paths]
    return [[float(number) for number in box] for boxes in found for box in boxes]


def boxes_of(picture: Picture, look: str) -> list[tuple[float, float]]:
    """x and y of the rectangles of this look but those of the legend."""
    svg = ElementTree.fromstring(picture.file())  # noqa: S314 our own
    groups = [node for node in svg.iter() if node.tag.endswith("}g")]
    bars = [bar for node in groups for bar in node if bar.get("class") == look]
    return [(float(bar.get("x", "")), float(bar.get("y", ""))) for bar in bars]


def words(picture: Picture) -> str:
    svg = ElementTree.fromstring(picture.file())  # noqa: S314 our own
    return "\n".join(text for node in svg.iter() if (text := node.text))


def source_line(text: str) -> int:
    lines = SOURCE.read_text().splitlines()
    return next(number for number, found in enumerate(lines, 1) if text in found)


def test_a_stride_of_two_moves_eight_half_used_sectors_beside_four() -> None:
    picture = only_map("StrideOfTwo", "global_load", "in")
    assert "8 sectors where 4 would do" in words(picture)
    assert "This request: 8 sectors of 32 bytes" in words(picture)
    assert "Ideal: 4 sectors of 32 bytes" in words(picture)
    tops = sorted({box[1] for box in boxes(picture, MOVED)})
    assert [sum(box[1] == top for box in boxes(picture, MOVED)) for top in tops] == [8, 4]
    assert [row[-1] for row in picture.table.rows] == [16] * 8, "bytes used of 32"
    assert picture.table.rows[1][1] == "4 to 7"


def test_the_picture_in_the_labs_readme_is_this_one() -> None:
    shown = Path("common/cudasim/pictures/stride_of_two.svg").read_text(encoding="utf-8")
    assert shown == only_map("StrideOfTwo", "global_load", "in").file()


def test_half_of_the_width_is_used_at_a_stride_of_two() -> None:
    picture = only_map("StrideOfTwo", "global_load", "in")
    top = min(box[1] for box in boxes(picture, MOVED))
    moved = sum(box[2] for box in boxes(picture, MOVED) if box[1] == top)
    used = sum(box[2] for box in boxes(picture, USED) if box[1] == top)
    assert used / moved == pytest.approx(0.5, abs=0.03)


def test_neighbours_need_no_ideal_beside_them() -> None:
    picture = only_map("Coalesced", "global_load", "in")
    assert "4 sectors, which is ideal for 32 lanes" in words(picture)
    assert "Ideal" not in words(picture)
    assert len(boxes(picture, MOVED)) == 4


def test_a_column_without_padding_is_32_words_of_one_bank() -> None:
    picture = only_map("Unpadded", "shared_store", "tile")
    assert "32 wavefronts where 1 would do" in words(picture)
    waiting = boxes(picture, WAITS)
    assert len(waiting) == 31
    assert len({box[0] for box in waiting}) == 1, "all are in one column"
    assert {row[0] for row in picture.table.rows} == {3}, "bank 3"


def test_a_padded_column_is_a_word_of_each_bank() -> None:
    picture = only_map("Padded", "shared_store", "tile")
    assert "1 wavefront, which is ideal for 32 lanes" in words(picture)
    assert boxes(picture, WAITS) == []
    assert len({box[0] for box in boxes(picture, USED)}) == 32
    assert [row[0] for row in picture.table.rows] == list(range(32))


def test_the_first_the_median_and_the_worst_request_are_drawn() -> None:
    drawn = line("Growing", "global_load", "in")
    assert [(r.names, r.cost) for r in drawn.samples] == [
        (("first", "median"), 4),
        (("worst",), 32),
    ]
    assert drawn.costs == ((4, 4, 3), (16, 4, 1), (32, 4, 1))
    bars = histogram(drawn)
    assert bars is not None
    assert re.findall(r"<td>(\d+ sectors)</td><td class=\"num\">(\d)</td>", bars) == [
        ("4 sectors", "3"),
        ("16 sectors", "1"),
        ("32 sectors", "1"),
    ]
    assert histogram(line("Coalesced", "global_load", "in")) is None


def test_lanes_that_update_one_counter_wait_for_each_other() -> None:
    picture = only_map("OneCounter", "global_atomic", "out")
    assert "32 lanes at one address where 1 would do" in words(picture)
    assert len(boxes(picture, WAITS)) == 31


def test_a_branch_shows_the_lanes_of_each_side() -> None:
    (branch,) = kernel("Divided").branches
    assert branch.place[1] == source_line("if (threadIdx.x < 10)")
    assert sorted(side.lanes for side in branch.sides) == [
        tuple(range(10)),
        tuple(range(10, 32)),
    ]
    picture = divergence(branch)
    assert sorted(len(boxes(picture, look)) for look in (USED, "area orange")) == [10, 22]
    assert "1 of 1 times" in words(picture)
    assert kernel("Coalesced").branches == ()


def test_three_warps_wait_for_the_late_one() -> None:
    picture = barriers(kernel("LateWarp"))
    assert picture is not None
    waiting = boxes(picture, WAITS)
    assert len(waiting) == 3, "at the first barrier; nobody waits at the second"
    assert len({box[1] for box in waiting}) == 3, "each in its row"
    ends = {round(box[0] + box[2], 1) for box in waiting}
    assert len(ends) == 1, "one release"
    assert f"line {source_line('__syncthreads();')}" in words(picture)
    assert "for warp 3" in words(picture)
    first, second = picture.table.rows
    assert first[4] == 3
    assert (first[6], second[6]) == (kernel("LateWarp").barriers.waited, 0)


def test_a_kernel_without_barriers_has_no_picture_of_them() -> None:
    assert barriers(kernel("Coalesced")) is None


def test_a_barrier_line_is_marked_only_if_threads_wait_there() -> None:
    costs = costs_of(profile())
    waits = [place[1] for place, cost in costs.items() if cost.barriers]
    assert waits == [source_line("__syncthreads();")]


def test_the_worst_line_comes_first() -> None:
    costs = costs_of(profile())
    worst = [c.place[1] for c in worst_first(costs.values(), totals_of(profile(), costs))]
    assert worst[:3] == [
        source_line("tile[threadIdx.x][3] = threadIdx.x"),
        source_line("atomicAdd(out, threadIdx.x)"),
        source_line("out[threadIdx.x] += in["),
    ]
    assert source_line("void Coalesced") not in worst


def test_the_work_of_lines_is_that_of_the_kernel() -> None:
    late = kernel("LateWarp")
    assert sum(late.work.values()) == late.of("work")
    busiest = max(late.work, key=lambda place: late.work[place])
    assert busiest[1] == source_line("sum += in[i]")


def two_streams() -> Call:
    (call,) = profile("two_streams").calls
    return call


def test_two_streams_overlap_in_the_chart() -> None:
    picture = streams(two_streams())
    assert picture is not None
    for name in ("host", "stream 1", "stream 2", "default stream"):
        assert f"\n{name}\n" in words(picture)
    times = {(o.stream, o.engine): (o.begin, o.end) for o in two_streams().operations}
    one, other = (stream for stream, engine in times if stream and engine == "host to GPU")
    assert times[one, "kernels"][0] < times[other, "host to GPU"][1]
    drawn = {box[1] for box in boxes_of(picture, "purple")}
    assert len(drawn) == 2, "copies in, each in its stream's row"
    assert sum(operation.stream == 0 for operation in two_streams().operations) == 1


def test_launches_of_two_streams_begin_together_and_the_last_one_after_them() -> None:
    launches = two_streams().launches
    assert [launch.begins for launch in launches] == [0, 0, launches[0].span]
    path = path_of(launches)
    assert len(path) == 2
    assert path[-1] == launches[-1]
    picture = critical_path(two_streams())
    svg = picture.file()
    assert svg.count('class="blue"') - svg.count('pattern id="hatch-blue" class="blue"') == 2
    assert svg.count('class="grey hatched"') == 1, "one launch is not on the path"


def test_the_limit_of_occupancy_is_the_shortest_bar() -> None:
    picture = occupancy(kernel("LateWarp"))
    allowed = dict(kernel("LateWarp").resident_blocks)
    assert allowed["threads"] == min(allowed.values()) == 16
    assert "16 blocks of 4 warps: 100 %" in words(picture)


def rendered(program: str, root: Path = Path()) -> str:
    return profile_page("Profile", profile_of(json.loads(written(program))), root)


def test_the_page_has_the_source_and_opens_its_worst_line() -> None:
    html = rendered("accesses")
    assert "in[2 * threadIdx.x]" in html
    assert html.count("<details open>") == 1
    assert len(html) < 500_000


def test_a_page_of_many_lines_and_launches_draws_the_worst_and_stays_small() -> None:
    entry = json.loads(written("accesses"))
    lines = [line for kernel in entry["kernels"] for line in kernel["lines"] if line["waste"]]
    entry["kernels"][0]["lines"] = [line | {"line": n} for n in range(400) for line in lines]
    entry["calls"][0]["launches"] *= 50
    entry["calls"][0]["all_launches"] *= 50
    entry["calls"][0]["operations"] *= 50
    html = profile_page("Profile", profile_of(entry), Path())
    assert 0 < html.count("request.</b>") <= 32
    assert "launches are drawn" in html
    assert len(html) < 1_000_000, "400 lines with costs, most of them in words"


def test_the_same_program_gives_the_same_page() -> None:
    before = rendered("accesses")
    written.cache_clear()
    assert rendered("accesses") == before


def test_a_source_that_is_not_there_leaves_the_lines_with_costs(tmp_path: Path) -> None:
    html = rendered("accesses", tmp_path)
    assert "This file is not at hand" in html
    assert "in[2 * threadIdx.x]" not in html


def test_a_source_may_not_write_html(tmp_path: Path) -> None:
    copy = tmp_path / SOURCE
    copy.parent.mkdir(parents=True)
    copy.write_text("<script>alert(1)</script>\n" * 90)
    assert "<script" not in rendered("accesses", tmp_path)


def test_samples_are_written_only_on_request() -> None:
    plain: dict[str, Any] = json.loads(written("accesses", "0"))
    assert "calls" not in plain
    assert not [k for k in plain["kernels"] if "samples" in k]
    assert not [x for k in plain["kernels"] for x in k["lines"] if "samples" in x]


def test_two_versions_stand_side_by_side() -> None:
    accesses, streamed = profile(), profile("two_streams")
    html = comparison_page("Two", accesses, streamed, Path())
    assert html.count("<h3>Yours</h3>") == html.count("<h3>The other</h3>") == 5
    assert 'href="#yours-common' in html
    ids = re.findall(r' id="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    rows = {row[0]: row[1:] for row in totals(accesses, streamed).table.rows}
    assert rows["lanes of global atomics"] == (32.0, 0.0)
    assert rows["work"][1] == sum(k.of("work") for k in streamed.kernels)


def test_a_grader_gets_the_worst_request_of_each_line_and_the_branches() -> None:
    text = written("accesses", "worst")
    kernels = {k["kernel"]: k for k in json.loads(text)["kernels"]}
    (load,) = (x for x in kernels["Growing"]["lines"] if x["target"] == "in")
    (sample,) = load["samples"]
    assert (sample["which"], sample["cost"]) == ("worst", 32)
    assert sorted(load["costs"]) == [[4, 4, 3], [16, 4, 1], [32, 4, 1]]
    assert [list(k["samples"]) for k in kernels.values()] == [["branches"]] * len(kernels)
    assert "calls" not in json.loads(text)
    assert len(kernels["Divided"]["samples"]["branches"]) == 1


def test_a_profile_with_very_many_launches_is_without_samples_for_a_grader() -> None:
    kernels = json.loads(written("many_shapes", "worst"))["kernels"]
    assert len(kernels) == 200
    assert not any("samples" in x for k in kernels for x in [k, *k["lines"]])


def run_main(arguments: Sequence[str]) -> int:
    return main([*arguments, "--root", "."])


def test_writes_the_page(tmp_path: Path) -> None:
    source, out = tmp_path / "profile.json", tmp_path / "profile.html"
    source.write_text(written("accesses"))
    assert run_main([str(source), "--out", str(out)]) == 0
    assert out.read_text().startswith("<!doctype html>")
    pictures = ["--pictures", str(tmp_path / "svg")]
    assert run_main([str(source), "--out", str(out), "--against", str(source), *pictures]) == 0
    assert "What each version does" in out.read_text()
    names = {path.name for path in (tmp_path / "svg").iterdir()}
    stride = source_line("in[2 * threadIdx.x]")
    assert f"StrideOfTwo_{stride}_global_load_in_worst.svg" in names
    assert f"Divided_{source_line('if (threadIdx.x < 10)')}_branch.svg" in names
    assert {"LateWarp_barriers.svg", "LateWarp_occupancy.svg"} <= names


def test_says_how_to_write_samples_where_there_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "profile.json"
    source.write_text(written("accesses", "0"))
    assert run_main([str(source), "--out", str(tmp_path / "profile.html")]) == 1
    said = capsys.readouterr().err
    assert "field 'samples' is missing" in said
    assert "next: write the profile with CUDASIM_PROFILE_SAMPLES=1" in said


def test_names_the_file_that_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "profile.json", tmp_path / "missing" / "profile.html"
    source.write_text(written("accesses"))
    assert run_main([str(source), "--out", str(out)]) == 1
    said = capsys.readouterr().err
    assert f"error: cannot write {out}: No such file or directory" in said
    assert "SAMPLES" not in said
