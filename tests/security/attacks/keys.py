"""Attacks on links, cookies and codes: what somebody gets who was given less, or whose link was ended."""

import shutil
import time
from concurrent.futures import ThreadPoolExecutor

from tests.security.attacks.caller import new_pad, pad_of
from tests.security.attacks.findings import Verdict, finding

HANDOVER_SECONDS_LEAST = 11 * 3600
CODE_LETTERS_LEAST = 8
GUESSES_MOST = 30
GUESSERS = 24


@finding(6, "a player's link becomes the owner's without the owner's yes")
def handover(site, size):
    owner, player = site.caller(), site.caller()
    pad = new_pad(owner)
    first = player.post(pad.at("keep/"), {}, pad.play)
    wait = first.json.get("wait", 0) if first.status == 202 else 0
    if first.status == 202 and wait <= 90 and size.waits:
        time.sleep(wait + 1.5)
        again = player.post(pad.at("keep/"), {}, pad.play)
        token = again.json.get("keep", "").rsplit("/", 1)[-1] if again.status == 200 else ""
        if token:
            player.post(pad.at("links/"), {"rotate": "keep"}, token)
            locked_out = owner.post(pad.at("settings/"), {"settings": {}}, pad.keep).status != 200
            return Verdict(
                False, f"given after {wait} s; the owner {'is' if locked_out else 'is not'} locked out"
            )
    held = first.status >= 400 or wait >= HANDOVER_SECONDS_LEAST
    return Verdict(held, f"asked: {first.status}, to wait {wait} s without the owner's yes")


@finding(6, "a stopped pad is handed over")
def handover_of_a_stopped_pad(site, size):
    owner, player = site.caller(), site.caller()
    pad = new_pad(owner)
    assert owner.post(pad.at("stop/"), {}, pad.keep).status == 200
    answer = player.post(pad.at("keep/"), {}, pad.play)
    return Verdict(400 <= answer.status < 500, f"asked on a stopped pad: {answer.status}")


@finding(8, "after a restore a cookie opens a stranger's pad", on_machine=True)
def cookie_after_a_restore(site, size):
    if site.database:
        return Verdict(None, "not tried: it puts a file of SQLite back")
    before = site.var.parent / f"{site.var.name}-before"
    site.stop()
    before.mkdir()
    for path in site.var.glob("db.sqlite3*"):
        shutil.copy2(path, before)
    site.start()
    thief = site.caller()
    own = new_pad(thief)
    thief.get(own.at(own.keep))
    cookie = thief.cookies[f"pad-{own.code}"]
    site.stop()
    for path in site.var.glob("db.sqlite3*"):
        path.unlink()
    for path in before.iterdir():
        shutil.copy2(path, site.var)
    shutil.rmtree(before)
    site.start()
    others = new_pad(site.caller())
    thief.cookies[f"pad-{others.code}"] = cookie
    answer = thief.get(others.at())
    return Verdict(answer.status == 404, f"a stranger's pad: {answer.status}")


@finding(8, "a code that is typed can be guessed")
def short_codes(site, size):
    owner = site.caller()
    pad = new_pad(owner)
    code = owner.post(pad.at("join/"), {}, pad.keep).json["code"]
    letters = sum(sign.isalnum() for sign in code)
    return Verdict(letters >= CODE_LETTERS_LEAST, f"{letters} letters")


@finding(9, "a watcher of one game reads later games of the evening after its links were ended")
def later_games(site, size):
    owner, watcher = site.caller(), site.caller()
    pad = new_pad(owner, ("Ann", "Bert"))
    answer = owner.post(pad.at("again/"), {"players": ["Xaverine", "Zebedee"]}, pad.keep)
    later, address = pad_of(answer), answer.json["evening"]
    owner.post(later.at("links/"), {"revoke": "watch"}, later.keep)
    shown = [watcher.get(address + name, pad.watch) for name in ("", "evening.json")]
    told = sum("Xaverine" in answer.text for answer in shown)
    owner.post(pad.at("links/"), {"revoke": "watch"}, pad.keep)
    after = [watcher.get(address + name, pad.watch).status for name in ("", "evening.json")]
    held = not told and after == [404, 404] and shown[0].status == 200
    return Verdict(held, f"{told} of 2 pages name the later players; after the own link was ended: {after}")


@finding(13, "more guesses at once are judged than one after the other")
def parallel_guesses(site, size):
    address = site.caller().address
    callers = [site.caller(address) for _ in range(GUESSERS)]

    def guess(number):
        return callers[number % GUESSERS].post("/pads/join/", {"code": f"ZZ{number:06d}"}).status

    with ThreadPoolExecutor(GUESSERS) as pool:
        # Each caller is one connection, so its guesses come one after the other.
        turns = [range(start, size.guesses, GUESSERS) for start in range(GUESSERS)]
        statuses = [one for part in pool.map(lambda turn: [guess(n) for n in turn], turns) for one in part]
    # A database that is busy has judged nothing either.
    judged = sum(status not in (429, 503) for status in statuses)
    return Verdict(judged <= GUESSES_MOST, f"{judged} of {size.guesses} judged, {GUESSES_MOST} are allowed")
