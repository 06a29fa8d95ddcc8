"""The systemd unit that `serve --print-unit` prints."""

from collections.abc import Sequence
from pathlib import Path

# Jails need namespaces with a /proc of their own, cgroups, users of their own (as root), and
# ThreadSanitizer lays memory out itself; all graders of a machine share the lock in /tmp.
_UNIT = """\
# Put this into /etc/systemd/system/course-labs.service, then:
#   systemctl daemon-reload && systemctl enable --now course-labs
# Jails need namespaces, cgroups, /proc and the machine's lock in /tmp. Do not add
# RestrictNamespaces, SystemCallFilter, ProtectProc, ProtectKernelTunables, ProtectControlGroups,
# PrivateUsers, LockPersonality, NoNewPrivileges or PrivateTmp.
[Unit]
Description={title}
Wants=network-online.target
After=network-online.target time-sync.target

[Service]
Type=exec
User={user}
WorkingDirectory={workspace}
ExecStart={command}
Restart=on-failure
RestartSec=5
KillMode=mixed
TimeoutStopSec=60
Delegate=yes
ProtectSystem=full
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectHostname=yes
RestrictRealtime=yes

[Install]
WantedBy=multi-user.target
"""


def unit(title: str, user: str, workspace: Path, command: Sequence[str]) -> str:
    """`command` starts the service; paths are absolute."""
    return _UNIT.format(
        title=_plain(f"Labs of {title}: hand in, grading, pages"),
        user=user,
        workspace=_plain(str(workspace)),
        command=" ".join(_quoted(word) for word in command),
    )


def _plain(text: str) -> str:
    """In a line without quoting; `%` begins a specifier."""
    return " ".join(text.split()).replace("%", "%%")


def _quoted(word: str) -> str:
    """A word of a command line of systemd."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"' if escaped != word or set(word) & set(" \t'\";") or not word else word
