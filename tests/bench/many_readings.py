"""A job on so many readings in a scratch database: one page of print that waits for a text, again and again.

`python -m tests.bench.many_readings count` prints how many have been done.
"""

from __future__ import annotations

import sys


def make(count: int) -> None:
    from django.conf import settings
    from PIL import Image, ImageDraw

    from archive.curation import edits, leaf_order
    from archive.facsimile import FontSet
    from archive.models import Book, Job, JobPage, Leaf
    from archive.publication import publish, revisions
    from archive.scans import publication
    from people.models import Person
    from tests.archive.scan_files import BOOK, a_scan

    publish.load([settings.FIXTURES / "books" / BOOK])
    book = Book.objects.get(slug=BOOK)
    person = Person.objects.create(name="Conrad", role="curator")
    files = revisions.files_at(book, 1)
    places = [*leaf_order.places_of(files), leaf_order.LeafPlace(0, "Back cover")]
    signed = revisions.Signature("One more.", person)
    edits.save(BOOK, leaf_order.reordered(files, places), 1, signed)
    page = Image.new("L", (1_200, 1_700), 250)
    font = FontSet(settings.NODE_MODULES / "@fontsource").font("roman", 34)
    for row, words in enumerate(book.files["text.txt"].replace("{", " ").split("\n")[20:52]):
        ImageDraw.Draw(page).text((90, 90 + 48 * row), words[:60], 20, font)
    scan = a_scan(Book.objects.get(slug=BOOK), person)
    leaf = Leaf.objects.get(book__slug=BOOK, number=len(places))
    publication.publish_page(scan, leaf, page, person, "For the bench.")
    job = Job.objects.create(book=book, act=Job.READ, person=person, signed=person.name)
    JobPage.objects.bulk_create(JobPage(job=job, scan=scan, order=order) for order in range(count))


def done() -> int:
    from archive.models import JobPage

    return JobPage.objects.filter(state=JobPage.DONE).count()


if __name__ == "__main__":
    import django

    django.setup()
    if sys.argv[1] == "count":
        print(done())
    else:
        make(int(sys.argv[1]))
