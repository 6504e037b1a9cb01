"""Clubs for tests: finished games at several tables, brought together by their owner's phone."""

import json

from django.test import Client

from tests.scorepad.conftest import Phone, seated


class Owner:
    """A browser that owns pads and clubs, with the page's own token."""

    def __init__(self):
        self.client = Client(enforce_csrf_checks=True)
        self.client.cookies["csrftoken"] = "a" * 32

    def begin(self, players=("Ann", "Bert"), game="thumbs-up"):
        options = {"hands": 1, "stake": 100} if game == "thumbs-up" else {}
        wish = {"game": game, "players": list(players), "options": options}
        made = Phone(None).post("/pads/", wish).json()
        self.client.get(made["keep"])
        return seated(made)

    def win(self, winner="Ann", loser="Bert", points=40, begun=None):
        """A finished game of Thumbs Up, one hand long."""
        table = begun or self.begin((winner, loser) if winner < loser else (loser, winner))
        hand = {"id": "h1", "type": "hand", "winner": winner, "losers": {loser: {"points": points}}}
        [stored] = table.player.enter(hand)
        assert stored["status"] == "stored", stored
        return table

    def again(self, table, **wish):
        """The next game of the evening, opened on this phone."""
        begun = table.keeper.post("rematch/", wish).json()
        self.client.get(begun["keep"])
        return seated(begun)

    def post(self, path, **fields):
        return self.client.post(path, fields, headers={"X-CSRFToken": "a" * 32})

    def send(self, path, **body):
        return self.client.post(
            path, json.dumps(body), content_type="application/json", headers={"X-CSRFToken": "a" * 32}
        )

    def club(self, table):
        """A club of this pad and its evening, made with one tap: its addresses."""
        answer = self.send(f"/pads/{table.code}/club/")
        assert answer.status_code == 201, answer.content
        return answer.json()

    def figures(self, club, query=""):
        answer = self.client.get(f"{club['club']}club.json{query}")
        assert answer.status_code == 200, answer.content
        return answer.json()


def viewer(club):
    """Somebody with the club's viewer's link and nothing else."""
    client = Client(enforce_csrf_checks=True)
    assert client.get(club["watch"]).status_code == 302
    return client
