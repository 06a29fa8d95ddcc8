"""The flags of this workspace, declared in //common/lab."""

load("//common/lab/private:settings.bzl", "choice")

def settings():
    """Declares --//common/lab:implementation and --//common/lab:cuda with their conditions."""
    choice(name = "implementation", values = ["stub", "solution"])
    # Checked by default: a student without a GPU learns of every wrong access, with its line.
    choice(name = "cuda", values = ["check", "sim", "profile", "gpu"])
