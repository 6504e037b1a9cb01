"""Verification of readers' messages: their words and photographs are as they came."""

from __future__ import annotations

from archive.messages.inbox import digest_of
from archive.models import MessagePhotograph, ReaderMessage


def verify() -> list[str]:
    """A sentence for each message that was altered behind the site's back."""
    faults = [
        f"Message {pk} of a reader: its words are not those that came."
        for pk, words, checksum in ReaderMessage.objects.values_list("pk", "words", "checksum").iterator()
        if digest_of(words.encode()) != checksum
    ]
    photographs = MessagePhotograph.objects.values_list("message", "jpeg", "checksum")
    faults += [
        f"Message {pk} of a reader: its photograph is not the one that came."
        for pk, content, checksum in photographs.iterator(20)
        if digest_of(bytes(content)) != checksum
    ]
    return faults
