"""A part's points over the class, as bars small enough for a table cell."""

from grader.pages.report.charts import score_bins

_WIDTH, _HEIGHT = 132, 34


def small_bars(points: list[float], max_points: float) -> str:
    """SVG: a bar for each tenth of the points, and one for all points."""
    bins = score_bins(points, max_points)
    most, step = max([1, *bins]), _WIDTH / len(bins)
    drawn = []
    for number, count in enumerate(bins):
        height = max(1.5 if count else 0.5, (_HEIGHT - 2) * count / most)
        colour = "good" if number == len(bins) - 1 else "bar"
        drawn.append(
            f'<rect x="{number * step + 1:.1f}" y="{_HEIGHT - height:.1f}" width="{step - 2:.1f}" '
            f'height="{height:.1f}" fill="var(--{colour})"/>'
        )
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    return f'<svg class="bars" {size} aria-hidden="true" focusable="false">{"".join(drawn)}</svg>'


def bars_words(points: list[float], max_points: float) -> str:
    """The same in words: "3 none, 12 a share, 25 all"."""
    none = sum(value <= 0 for value in points)
    full = sum(value >= max_points - 1e-9 for value in points)
    return f"{full} all, {len(points) - none - full} a share, {none} none"
