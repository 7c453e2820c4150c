"""`pbem report` and `pbem replay`, and the page that apply and seal leave behind."""

from __future__ import annotations

import json
from pathlib import Path
from shlex import quote

from pbem.archive import write_archive
from tests.cli.post import Player, stock, write_files
from tests.pages import read_page
from tests.readings import game_files


def quoted(text: str) -> Path:
    """The path that a line of output names in quotes."""
    return Path(text.split('"')[1])


def test_the_page_is_kept_with_the_game(bob: Player) -> None:
    stock(bob.home, game_files()[:5])
    status, out, err = bob.types("report")
    assert (status, err) == (0, "")
    path = bob.home.games / bob.key() / "reports" / "turn04.html"
    assert out == f'Written to "{path}".\n'
    page = read_page(path.read_text(encoding="utf-8"))
    assert "What is asked of you" in page.text
    assert f"pbem play {bob.key()}" in page.text


def test_any_file_can_be_chosen_and_written_anywhere(tmp_path: Path, bob: Player) -> None:
    stock(bob.home, game_files()[:5])
    status, out, _ = bob.types("report", "--file", "2", "-o", tmp_path / "page.html")
    assert (status, quoted(out)) == (0, tmp_path / "page.html")
    assert "File 2 of the game" in (tmp_path / "page.html").read_text(encoding="utf-8")
    (tmp_path / "folder").mkdir()
    assert quoted(bob.types("report", "-o", tmp_path / "folder")[1]) == tmp_path / "folder" / "turn04.html"
    status, out, _ = bob.types("report", "-o", "-")
    assert (status, out[:15]) == (0, "<!DOCTYPE html>")


def test_text_and_json(bob: Player) -> None:
    stock(bob.home, game_files()[:5])
    status, text, _ = bob.types("report", "--text")
    assert status == 0
    assert text.splitlines()[1].startswith("File 4 from Alice. Medals: Allies ")
    status, out, _ = bob.types("report", "--json")
    value = json.loads(out)
    assert (status, value["file"], value["chair"], value["hand"]) == (0, 4, "axis", None)
    assert value["asked"]["command"] == f"pbem play {bob.key()}"
    held = json.loads(bob.types("report", "--json", "--hand")[1])["hand"]
    assert len(held) == len(bob.game().desk(bob.identity).hand())


def test_a_spectator_needs_no_identity_and_sees_no_dice_ahead(bob: Player) -> None:
    stock(bob.home, game_files()[:5])
    value = json.loads(bob.types("report", "--spectator", "--json")[1])
    assert value["chair"] is None
    assert value["asked"] == {
        "kind": "wait",
        "text": "Nothing is asked of you: the next file comes from Bob.",
        "command": "",
    }
    path = quoted(bob.types("report", "--spectator")[1])
    assert path.name == "turn04-spectator.html"


def test_an_archive_is_checked_and_shown(tmp_path: Path, eve: Player) -> None:
    archive = tmp_path / "game.zip"
    archive.write_bytes(write_archive(list(game_files())))
    status, out, err = eve.types("replay", archive)
    assert (status, err) == (0, "")
    assert quoted(out) == Path("replay-spectator.html")
    assert read_page(Path("replay-spectator.html").read_text(encoding="utf-8")).tags["script"] == 2
    value = json.loads(eve.types("report", archive, "--json", "--file", "3")[1])
    assert (value["file"], value["chair"], value["game"]) == (3, None, "")


def test_a_damaged_archive_is_refused(tmp_path: Path, eve: Player) -> None:
    files = list(game_files()[:4])
    files[3] = files[3][:-1] + bytes([files[3][-1] ^ 1])
    write_files(tmp_path / "bad", tuple(files))
    status, out, err = eve.types("report", tmp_path / "bad")
    assert (status, out) == (3, "")
    assert err.startswith("pbem: ")
    assert list(Path().iterdir()) == []


def test_files_with_a_gap_are_refused(tmp_path: Path, eve: Player) -> None:
    paths = write_files(tmp_path / "gap", game_files()[:4])
    paths[1].unlink()
    status, out, err = eve.types("replay", tmp_path / "gap")
    assert (status, out) == (1, "")
    assert "does not hold the files of one game" in err
    assert f"hint: try: pbem verify {quote(str(tmp_path / 'gap'))}\n" in err


def test_what_cannot_be_shown_is_said_in_a_sentence(bob: Player) -> None:
    stock(bob.home, game_files()[:5])
    before = bob.snapshot()
    assert bob.types("report", "--file", "9") == (
        1,
        "",
        'pbem: the game has no file 9; the last is 4\nhint: "pbem log" lists them\n',
    )
    assert bob.types("report", "nowhere")[0] == 1
    assert bob.types("report", "--text", "--json")[0] == 2
    assert bob.types("report", "--hand", "--spectator")[0] == 2
    assert bob.types("replay", "--open-hand", "--spectator")[0] == 2
    status, _, err = bob.types("replay", "--open-hand")
    assert (status, err.splitlines()[0]) == (1, "pbem: a hand is opened only after the end of the game")
    assert bob.snapshot() == before


def test_a_finished_game_is_replayed_with_the_own_hand(bob: Player) -> None:
    stock(bob.home, game_files())
    status, out, _ = bob.types("replay", "--open-hand")
    assert status == 0
    html = quoted(out).read_text(encoding="utf-8")
    assert "<h2>Bob's hand</h2>" in html
    status, out, _ = bob.types("replay", "--json")
    assert (status, json.loads(out)["over"]) == (0, True)
    assert "'s hand</h2>" not in quoted(bob.types("replay")[1]).read_text(encoding="utf-8")


def test_only_a_player_opens_a_hand(tmp_path: Path, eve: Player) -> None:
    archive = tmp_path / "game.zip"
    archive.write_bytes(write_archive(list(game_files())))
    status, _, err = eve.types("report", archive, "--hand")
    assert (status, err.splitlines()[0]) == (
        1,
        "pbem: only a player can see a hand, from their own home folder",
    )
    status, _, err = eve.types("replay", archive, "--open-hand")
    assert (status, err.splitlines()[0]) == (
        1,
        "pbem: only a player can open a hand, from their own home folder",
    )


def test_apply_and_seal_leave_a_page(tmp_path: Path, alice: Player, bob: Player) -> None:
    stock(bob.home, game_files()[:2])
    path = write_files(tmp_path / "mail", game_files()[:3])[2]
    out = bob.types("apply", path)[1]
    (line,) = [line for line in out.splitlines() if line.startswith("A page about it")]
    assert quoted(line) == bob.home.games / bob.key() / "reports" / "turn02.html"
    assert quoted(line).is_file()
    stock(alice.home, game_files()[:2])
    alice.decide()
    out = alice.types("seal")[1]
    (line,) = [line for line in out.splitlines() if line.startswith("A page about it")]
    assert quoted(line).read_text(encoding="utf-8").count("What is asked of you") == 1
