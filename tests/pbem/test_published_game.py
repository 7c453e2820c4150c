"""The small complete game of the vectors, as far as the primitives go: chain, proofs, links, dice roots."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from pbem import group
from pbem.canon import decode, encode
from pbem.container import file_id, unpack
from pbem.dice import dice_root, verify_link
from pbem.errors import Fault
from pbem.gamekeys import game_secret
from pbem.group import Ciphertext, G, Point
from pbem.hashing import h32, u8, u32
from pbem.identity import Identity
from pbem.proofs import open_shares, proof_context, verify_pok
from pbem.shuffle import open_shuffle
from tests.pbem.vectors import game_file, part


@cache
def body(number: int) -> dict[str, Any]:
    """The body of a file."""
    found = decode(unpack(game_file(number)).body)
    assert isinstance(found, dict)
    return found


def chain(number: int) -> list[bytes]:
    """The chain values before each op of a file, and after the last."""
    b = body(number)
    values = [h32("act/0", b["g"], b["p"], u32(number), u8(b["a"]), b["s"], b["k"])]
    for op in b["o"]:
        values.append(h32("act", values[-1], encode(op)))
    return values


def side_key(side: int) -> Point:
    """The public game key of a side."""
    op = next(op for op in body(side)["o"] if op[0] == "key")
    return group.parse_point(op[3])


def sum_of(first: Point, second: Point) -> Point:
    """A sum that is a point."""
    found = group.total((first, second))
    assert found is not None
    return found


@pytest.mark.parametrize("number", range(7))
def test_chain_of_actions(number: int) -> None:
    """Part 4: the chain value of the body, and every one that the vectors name."""
    values = chain(number)
    assert values[-1] == body(number)["h"]
    published = part("game", "actions", number)
    assert [value.hex() for value in values[-len(published) :]] == published


@pytest.mark.parametrize("side", [0, 1])
def test_game_keys_and_their_proofs(side: int) -> None:
    """Parts 5 and 7.1: the secret restored from master and salt, and the proof in the `key` op."""
    ops = body(side)["o"]
    place = next(place for place, op in enumerate(ops) if op[0] == "key")
    _, keys, salt, public, boxes, proof = ops[place]
    author = Identity(bytes.fromhex(part("game", "masters", side)))
    secret = game_secret(author.master, salt, author.pk)
    assert secret.sigma.hex() == part("game", "secrets", side)
    assert (secret.public.data, secret.anchor, keys) == (public, body(side)["s"], [author.pk])
    ctx = proof_context(chain(side)[place])
    verify_pok(secret.public, ctx, encode(keys), salt, boxes, proof)
    with pytest.raises(Fault, match="E_POK"):
        verify_pok(secret.public, proof_context(chain(side)[place + 1]), encode(keys), salt, boxes, proof)


def test_setting_up_the_decks() -> None:
    """Part 6: first shuffles under X0, key switch by side 1, second shuffles under the joint key."""
    first, second = side_key(0), side_key(1)
    joint = sum_of(first, second)
    decks = dict(body(0)["o"][0][1]["decks"])
    piles = {
        deck: [Ciphertext(G, sum_of(group.card_point(deck, card), first)) for card in range(size)]
        for deck, size in decks.items()
    }
    done = []
    for number, key in ((0, first), (1, joint)):
        values = chain(number)
        for place, op in enumerate(body(number)["o"]):
            ctx = proof_context(values[place])
            if op[0] == "shuffle":
                piles[op[1]] = open_shuffle(ctx, key, piles[op[1]], op[2], op[3])
                done.append((number, "shuffle", op[1]))
            elif op[0] == "switch":
                pile = piles[op[1]]
                shares = open_shares(second, [card.C for card in pile], op[2], ctx, op[3])
                pairs = zip(pile, shares, strict=True)
                piles[op[1]] = [Ciphertext(card.C, sum_of(card.D, share)) for card, share in pairs]
                done.append((number, "switch", op[1]))
    names = list(decks)
    assert done == [(0, "shuffle", name) for name in names] + [
        (1, kind, name) for name in names for kind in ("switch", "shuffle")
    ]
    # With both secrets every card is there, once.
    secrets = secret_key(0) + secret_key(1)
    for deck, size in decks.items():
        plain = [group.subtract(card.D, group.multiply(secrets, card.C)) for card in piles[deck]]
        assert set(plain) == {group.card_point(deck, card) for card in range(size)}


def secret_key(side: int) -> int:
    """The secret game key of a side."""
    author = Identity(bytes.fromhex(part("game", "masters", side)))
    return game_secret(author.master, bytes.fromhex(part("game", "salts", side)), author.pk).key


def test_links_and_dice_roots() -> None:
    """Part 8.4: every seed is the next of its side's chain; the roots are the published ones."""
    latest = {0: body(0)["s"], 1: body(1)["s"]}
    opened = {0: 0, 1: 0}
    roots = {}
    for number in range(2, 7):
        b = body(number)
        side = b["a"] % 2
        opened[side] += 1
        verify_link(side_key(side), opened[side], b["s"], latest[side])
        latest[side] = b["s"]
        assert b["p"] == file_id(unpack(game_file(number - 1)).body)
        roots[str(number)] = dice_root(b["g"], number, b["p"], latest[1 - side], b["s"]).hex()
    assert roots == part("game", "roots")


def test_game_ids() -> None:
    """Part 6: the offer id and the game id."""
    terms = body(0)["o"][0][1]
    assert body(0)["g"] == h32("offer", encode(terms), side_key(0).data, body(0)["s"])
    keys = next(op for op in body(1)["o"] if op[0] == "key")[1]
    first = file_id(unpack(game_file(0)).body)
    game = h32("game", first, encode(keys), side_key(1).data, body(1)["s"])
    assert game.hex() == part("game", "gid")
    assert {body(number)["g"] for number in range(1, 7)} == {game}
