"""A fake kit from which a zip file can be made."""

import json
from pathlib import Path

from grader.model.manifest import Kit, load_kit
from grader.proof.fakes.fake_kit import make_kit


def kit_with_versions(folder: Path, compiler: str = "cc", *, parallelism: bool = False) -> Kit:
    """A fake kit that says its compiler's version."""
    root = make_kit(folder, parallelism=parallelism)
    path = root / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["versions"] = {"g++": "g++ (Debian 12.2.0-14+deb12u1) 12.2.0"}
    for build in manifest["builds"].values():
        build["steps"] = [[compiler, *step[1:]] for step in build["steps"]]
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return load_kit(root)
