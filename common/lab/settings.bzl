"""The flags of this workspace, declared in //common/lab."""

load("//common/lab/private:settings.bzl", "choice")

def settings():
    """Declares --//common/lab:implementation and --//common/lab:cuda with their conditions."""
    choice(name = "implementation", values = ["stub", "solution"])
    choice(name = "cuda", values = ["sim", "gpu"])
