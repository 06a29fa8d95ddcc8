"""How many blocks of a kernel a multiprocessor holds, and which resource limits them."""

from common.cudasim.pictures.evidence import Kernel
from common.pictures.markup import Markup, plural
from common.pictures.picture import Picture, Table
from common.pictures.shapes import Scale, line, rect, text

_LEFT, _RIGHT, _ROW = 104.0, 360.0, 22.0
_WORDS = {"threads": "threads", "shared_memory": "shared memory", "blocks": "the number of blocks"}


def occupancy(kernel: Kernel) -> Picture:
    """A bar for each resource; the shortest one is the limit."""
    resident = int(kernel.of("resident_blocks"))
    limit = kernel.counters["occupancy_limit"]
    # What is far above the limit needs no place.
    most = max(resident * 2, min(blocks for _, blocks in kernel.resident_blocks) + 1)
    scale = Scale(0, most, _LEFT, _RIGHT - 30)
    marks: list[Markup] = []
    for number, (resource, blocks) in enumerate(kernel.resident_blocks):
        y = 4 + number * _ROW
        look = "orange hatched" if resource == limit else "blue"
        marks.append(text(4, y + 12, _WORDS[resource]))
        marks.append(rect(_LEFT, y, scale(min(blocks, most)) - _LEFT, _ROW - 6, look))
        more = "+" if blocks > most else ""
        marks.append(text(scale(min(blocks, most)) + 4, y + 12, f"{min(blocks, most)}{more}"))
    bottom = 4 + len(kernel.resident_blocks) * _ROW
    marks.append(line([(scale(resident), 0), (scale(resident), bottom)], "red"))
    caption = (
        f"The limit is {_WORDS[str(limit)]}: a multiprocessor holds "
        f"{plural(resident, 'block')} of {plural(kernel.warps, 'warp')}: "
        f"{100 * kernel.of('occupancy'):.0f} % of its warps. Registers are not counted."
    )
    rows = [[_WORDS[resource], blocks] for resource, blocks in kernel.resident_blocks]
    title = f"Occupancy of {kernel.name}"
    table = Table(["resource", "blocks that it allows"], rows)
    return Picture(title, caption, (_RIGHT, bottom + 4), marks, table)
