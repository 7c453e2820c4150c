"""The six calls into coincurve that the group needs; nothing else in the program imports the library.

A `key` is the library's own form of a point and is never changed after it was made. There are two ways to
make the calls. `Native` calls the C functions inside the package: it sees every return code, which the public
`multiply` ignores, and saves about five per cent. `Documented` goes through the public classes, for versions
of coincurve that are built differently inside. Both give the same results; group.py does all checking.
"""

from __future__ import annotations

from typing import Any, Protocol

from coincurve import PublicKey


class Calls(Protocol):
    """What the group wants from the library."""

    def parse(self, data: bytes) -> Any | None:
        """The key of 33 bytes, or None if they are not on the curve."""

    def serialize(self, key: Any) -> bytes:
        """The 33 bytes of a key."""

    def create(self, number: int) -> Any:
        """number·G, number from 1 to the order - 1."""

    def product(self, number: int, key: Any) -> Any:
        """number·key, number from 1 to the order - 1."""

    def combine(self, keys: list[Any]) -> Any | None:
        """The sum of one or more keys, or None if it is the identity."""

    def negate(self, key: Any) -> Any:
        """The opposite of a key."""


class Documented:
    """The calls through the public classes of coincurve."""

    def parse(self, data: bytes) -> Any | None:
        """See Calls."""
        try:
            return PublicKey(data)
        except ValueError:
            return None

    def serialize(self, key: Any) -> bytes:
        """See Calls."""
        return bytes(key.format())

    def create(self, number: int) -> Any:
        """See Calls."""
        return PublicKey.from_secret(number.to_bytes(32, "big"))

    def product(self, number: int, key: Any) -> Any:
        """See Calls; with a number in range and a valid key the library cannot fail."""
        return key.multiply(number.to_bytes(32, "big"))

    def combine(self, keys: list[Any]) -> Any | None:
        """See Calls."""
        try:
            return PublicKey.combine_keys(keys)
        except ValueError:  # the only failure that valid keys allow
            return None

    def negate(self, key: Any) -> Any:
        """See Calls: the other prefix, 02 for 03."""
        data = self.serialize(key)
        return PublicKey(bytes([data[0] ^ 1]) + data[1:])


class Native:
    """The calls into the C functions; ImportError where coincurve does not have them."""

    def __init__(self) -> None:
        from coincurve import GLOBAL_CONTEXT
        from coincurve._libsecp256k1 import ffi, lib  # type: ignore[import-not-found]  # compiled, no types

        self.context: Any = GLOBAL_CONTEXT.ctx
        self.new: Any = ffi.new
        self.view: Any = ffi.buffer
        self.key_type: Any = ffi.typeof("secp256k1_pubkey *")
        self.bytes_type: Any = ffi.typeof("unsigned char[33]")
        self.size_type: Any = ffi.typeof("size_t *")
        self.compressed: int = lib.SECP256K1_EC_COMPRESSED
        self.c_parse: Any = lib.secp256k1_ec_pubkey_parse
        self.c_serialize: Any = lib.secp256k1_ec_pubkey_serialize
        self.c_create: Any = lib.secp256k1_ec_pubkey_create
        self.c_product: Any = lib.secp256k1_ec_pubkey_tweak_mul
        self.c_combine: Any = lib.secp256k1_ec_pubkey_combine
        self.c_negate: Any = lib.secp256k1_ec_pubkey_negate

    def parse(self, data: bytes) -> Any | None:
        """See Calls."""
        key = self.new(self.key_type)
        return key if self.c_parse(self.context, key, data, len(data)) else None

    def serialize(self, key: Any) -> bytes:
        """See Calls."""
        room = self.new(self.bytes_type)
        size = self.new(self.size_type, 33)
        _demand(self.c_serialize(self.context, room, size, key, self.compressed) and size[0] == 33)
        return bytes(self.view(room))

    def create(self, number: int) -> Any:
        """See Calls."""
        key = self.new(self.key_type)
        _demand(self.c_create(self.context, key, number.to_bytes(32, "big")))
        return key

    def product(self, number: int, key: Any) -> Any:
        """See Calls."""
        result = self.new(self.key_type, key[0])
        if not self.c_product(self.context, result, number.to_bytes(32, "big")):
            _demand(False)  # written out: this is called most of all
        return result

    def combine(self, keys: list[Any]) -> Any | None:
        """See Calls."""
        result = self.new(self.key_type)
        return result if self.c_combine(self.context, result, keys, len(keys)) else None

    def negate(self, key: Any) -> Any:
        """See Calls."""
        result = self.new(self.key_type, key[0])
        _demand(self.c_negate(self.context, result))
        return result


def _demand(good: object) -> None:
    """Stops the program where the library refuses what it cannot refuse."""
    if not good:
        raise AssertionError("the curve library refused a valid operation")


def calls() -> Calls:
    """The fastest way that the installed coincurve allows."""
    try:
        return Native()
    except (ImportError, AttributeError):
        return Documented()
