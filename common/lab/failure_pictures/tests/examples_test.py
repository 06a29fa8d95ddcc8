"""The pictures in the documentation are what the code draws."""

from common.lab.failure_pictures.examples import FOLDER, examples


def test_the_documented_pictures_are_the_newest() -> None:
    written = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.svg")}
    drawn = {name: f"{svg}\n" for name, svg in examples().items()}
    assert written == drawn, "run: python3 -m common.lab.failure_pictures.examples"
