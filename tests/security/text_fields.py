"""The addresses that take words somebody wrote: all that are posted to, but those excused with a reason."""

from tests.security.addresses import BOOK, CLUB, EVERY, PAD, SCAN, SCANS

BY_LINK = "takes nothing: the link alone says what is meant"
EXCUSED = {
    PAD + "stay/": BY_LINK,
    PAD + "stop/": BY_LINK,
    PAD + "reopen/": BY_LINK,
    PAD + "delete/": BY_LINK,
    PAD + "forget/": BY_LINK,
    PAD + "leave/": "takes the code of a club and refuses every other word",
    CLUB + "links/": "takes the name of a role and refuses every other word",
    CLUB + "stay/": BY_LINK,
    CLUB + "delete/": BY_LINK,
    CLUB + "forget/": BY_LINK,
    PAD + "links/": "takes the name of a role and refuses every other word",
    SCAN + "move/": "takes up or down, and any other word moves nothing",
    BOOK + "leaves/replace/": "what is put in are words of the text, which are tried on the page of a leaf",
    SCANS + "iiif/": "the page says again what was sent, and needs a host of another institution for more",
    SCANS + "stack/": "its one word, the reason, is that of a scan's publication, which is tried there",
    SCANS + "jobs/<int:number>/": "takes stop, and any other word does nothing",
    "curation/proposals/<int:number>/scan/": "its words decide, as those do that are tried on a proposal",
    BOOK + "game/trial/": "needs a whole game: its words are sent in tests/archive/test_trial_table.py",
    BOOK + "state/": "would take the book away that is tried; its words are sent in test_book_states.py",
    "messages/<str:token>/": "takes forget or delete, and any other word does nothing",
    PAD + "own/": "its entries are read as those of tap/ are, which is tried",
    "pads/move/": "its words are read as those of pads/import/ are, which is tried",
    "people/may-publish/": "takes nothing: it tells nginx if the sender is a curator",
    "people/sign-out/": "takes nothing: whoever asks is signed out",
    "people/passkey-question/": "takes the word for a purpose and answers a script with JSON",
    "people/me/passkeys/question/": "takes nothing: it answers a script with JSON",
    "people/me/passkeys/<int:number>/": "needs a passkey: its name is tried in tests/people/test_passkeys.py",
    "people/invitations/<int:number>/": "takes nothing: the number in the address is withdrawn",
    "oai": "answers programs with XML, which no page of ours shows",
}
TAKES = {route for route, row in EVERY.items() if row.post} - set(EXCUSED)


def unsent(sent: set[str]) -> list[str]:
    """Where no string was sent although words are taken there."""
    return sorted(TAKES - sent)
