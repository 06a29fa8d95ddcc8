"""A Slurm cluster on this machine: its daemons, which keep their files in one folder."""

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")
_SBIN = "/usr/sbin:/sbin"
_START_S = 30
_CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SelectType=select/linear
SlurmdTimeout=5
SlurmctldTimeout=10
MinJobAge=2
KillWait=2
BatchStartTimeout=10
ReturnToService=2
MaxJobCount={jobs}
SchedulerParameters=sched_interval=1,batch_sched_delay=0,requeue_delay=0
JobRequeue=1
{nodes}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> str:
    """What a cluster would need that this machine lacks; empty if nothing."""
    path = f"{os.environ['PATH']}:{_SBIN}"
    absent = [name for name in PROGRAMS if not shutil.which(name, path=path)]
    if absent:
        return f"no {', '.join(absent)}: install slurmctld, slurmd and munge"
    return "" if os.geteuid() == 0 else "slurmd runs as root only"


class Cluster:
    """Nodes n0, n1, ...; all run on this machine, one job each at a time."""

    def __init__(self, folder: Path, nodes: int, max_jobs: int) -> None:
        self.folder = folder
        self._path = f"{os.environ['PATH']}:{_SBIN}"
        self._daemons: dict[str, subprocess.Popen[bytes]] = {}
        self._nodes = [f"n{i}" for i in range(nodes)]
        self._write_configuration(max_jobs)
        self.environment = {"SLURM_CONF": str(folder / "slurm.conf")}

    def _write_configuration(self, max_jobs: int) -> None:
        host = socket.gethostname()
        ports = _free_ports(len(self._nodes) + 1)
        nodes = "\n".join(
            f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1"
            for name, port in zip(self._nodes, ports[1:], strict=True)
        )
        text = _CONFIGURATION.format(
            host=f"{host}(127.0.0.1)", port=ports[0], folder=self.folder, nodes=nodes, jobs=max_jobs
        )
        (self.folder / "slurm.conf").write_text(text, encoding="utf-8")
        (self.folder / "state").mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(1024))
        key.chmod(0o400)

    def start(self) -> None:
        """Starts every daemon; AssertionError with their logs if the nodes do not get ready."""
        self.folder.chmod(0o755)
        self._daemon(
            "munged",
            "--foreground",
            "--force",
            f"--key-file={self.folder}/munge.key",
            f"--socket={self.folder}/munge.socket",
            f"--pid-file={self.folder}/munge.pid",
            f"--log-file={self.folder}/munge.log",
            f"--seed-file={self.folder}/munge.seed",
        )
        self.start_controller()
        for name in self._nodes:
            self._daemon(name, "-D", "-N", name, program="slurmd")
            self.say("scontrol", "update", f"nodename={name}", "state=resume")
        self._wait_until_idle()

    def kill_node(self, name: str) -> None:
        """As if its power failed: slurmd and all that it started end at once."""
        daemon = self._daemons.pop(name)
        for pid in _family(daemon.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        daemon.wait()

    def kill_controller(self) -> None:
        """Ends slurmctld; jobs go on."""
        daemon = self._daemons.pop("slurmctld")
        daemon.terminate()
        daemon.wait()

    def start_controller(self) -> None:
        """Starts slurmctld with the state that an earlier one saved."""
        self._daemon("slurmctld", "-D")

    def say(self, *command: str) -> str:
        """What one of Slurm's commands prints."""
        environment = {**os.environ, **self.environment}
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        return ended.stdout + ended.stderr

    def stop(self) -> None:
        """Ends every daemon and every job."""
        for daemon in reversed(self._daemons.values()):
            for pid in _family(daemon.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            daemon.wait()

    def _daemon(self, name: str, *arguments: str, program: str = "") -> None:
        found = shutil.which(program or name, path=self._path)
        assert found
        log = (self.folder / f"{name}.out").open("wb")
        self._daemons[name] = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", found, *arguments],  # dies with this process
            env={**os.environ, **self.environment, "PATH": self._path},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )

    def _wait_until_idle(self) -> None:
        until = time.monotonic() + _START_S
        while time.monotonic() < until:
            states = self.say("sinfo", "--noheader", "--Node", "--format=%T").split()
            if states == ["idle"] * len(self._nodes):
                return
            time.sleep(0.2)
        logs = [path.read_text(errors="replace")[-2000:] for path in self.folder.glob("*.log")]
        raise AssertionError("\n".join(["the nodes are not ready", *logs]))


@contextlib.contextmanager
def cluster(folder: Path, *, nodes: int = 2, max_jobs: int = 1000) -> Iterator[Cluster]:
    """A running cluster; its daemons and jobs end with the block."""
    made = Cluster(folder, nodes, max_jobs)
    try:
        made.start()
        yield made
    finally:
        made.stop()


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as open_ones:
        ports = []
        for _ in range(count):
            one = open_ones.enter_context(socket.socket())
            one.bind(("127.0.0.1", 0))
            ports.append(one.getsockname()[1])
        return ports


def _family(pid: int) -> list[int]:
    """A process and its descendants, also those in sessions of their own."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            parents.setdefault(int(fields[1]), []).append(int(path.parent.name))
    found = [pid]
    for one in found:
        found += parents.get(one, [])
    return found
