"""How the service is reached: its addresses, and the proxy in front of it."""

from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

HOST, PORT = "127.0.0.1", 8000
"""Where the service listens unless it is told otherwise."""


@dataclass(frozen=True)
class WebSettings:
    """Where the service is reached, and whom it believes."""

    addresses: tuple[str, ...]
    """Each as a browser's Origin header has it: `https://labs.example.edu`. The first is shown."""
    trust_header: str | None = None
    """The header in which the proxy at `proxy_address` names who signed in there."""
    proxy_address: str | None = None
    """The only peer whose `trust_header` and X-Forwarded-For are believed."""

    @property
    def hosts(self) -> frozenset[str]:
        """Host headers that are answered, with and without their port."""
        places = [urlsplit(address) for address in self.addresses]
        return frozenset({place.netloc for place in places} | {*map(_without_port, places)})


def _without_port(place: SplitResult) -> str:
    name = place.hostname or ""
    return f"[{name}]" if ":" in name else name


def reached_at(public: str | None, host: str, port: int, tls: bool = False) -> tuple[str, ...]:
    """The addresses of a service that listens on host and port.

    `public` is the course's own, which comes first.
    """
    scheme = "https" if tls else "http"
    own = host if host not in ("", "0.0.0.0", "::") else "127.0.0.1"  # noqa: S104
    own = f"[{own}]" if ":" in own else own
    names = dict.fromkeys((own, "127.0.0.1", "localhost"))
    here = [f"{scheme}://{name}:{port}" for name in names]
    return tuple(dict.fromkeys([*([origin(public)] if public else []), *here]))


def origin(address: str) -> str:
    """Scheme, host and port of an address, lower case, without a scheme's usual port."""
    place = urlsplit(address.lower())
    usual = {"http": ":80", "https": ":443"}.get(place.scheme, "")
    return f"{place.scheme}://{place.netloc.removesuffix(usual) if usual else place.netloc}"
