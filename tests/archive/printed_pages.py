"""The words of our leaves as other printers would have set them: in columns, with headings across, a drop
capital, letterspaced lines, quotation marks, marks and notes in the margin, in roman and in broken letter;
then seen aslant and bent, and worn. What is known of them is still the facsimile."""

import math
import random

from PIL import Image, ImageDraw, ImageFont

from tests.archive.photographs import MESH
from tests.archive.worn_pages import FONTS, OTHER_FACES, Scan, facsimile, worn

FACES = {
    "roman": OTHER_FACES[0],
    "Fraktur": "unifrakturmaguntia/files/unifrakturmaguntia-latin-400-normal.woff2",
    "blackletter": "unifrakturcook/files/unifrakturcook-latin-700-normal.woff2",
}
SIZE = (1700, 2400)
EDGE, FIRST, LAST = 150, 150, 2270
NOTE_WIDE = 210
PAPER, INK = (238, 228, 205), (40, 34, 30)


def printed(slug, number, columns=2, face="roman", bent=True, seed=0, **more):
    """A page with so many columns, worn like a scan; more as a Press takes it."""
    _, words = facsimile(slug, number)
    chance = random.Random(f"{slug} {number} {columns} {face} {seed}")
    for em in range(58, 14, -2):
        press = Press(words, columns, face, em, **more)
        if press.fits:
            break
    page, boxes = press.page, press.boxes
    if bent:
        page, boxes = warped(page, boxes, chance)
    image, truth = worn(page, boxes, chance, degrees=1.0)
    return Scan(image, words, truth, press.kinds)


class Press:
    """Sets words in columns; `fits` if there was room for all of them. The kind of a word says in what part
    of the page it stands. With `drop` the first letter is three lines high; with `margin` the last words are
    notes beside the text, in smaller type."""

    def __init__(self, words, columns, face, em, heading=True, drop=False, margin=False):
        self.em, self.path, self.drop = em, FONTS / FACES[face], drop
        self.page = Image.new("RGB", SIZE, PAPER)
        self.pen = ImageDraw.Draw(self.page)
        self.boxes, self.kinds, self.fits = [], [], True
        gutter = max(1.6 * em, 34)
        # Notes stand in a column of their own at the outer edge.
        self.right = SIZE[0] - EDGE - (NOTE_WIDE + gutter if margin else 0)
        self.wide = (self.right - EDGE - gutter * (columns - 1)) / columns
        self.lefts = [EDGE + (self.wide + gutter) * n for n in range(columns)]
        notes = len(words) - min(len(words) // 8, 36) if margin else len(words)
        words, notes = words[:notes], words[notes:]
        top = FIRST
        if heading:
            count = max(1, min(len(words) // 12, 5))
            top = self.heading(words[:count], em * 1.5)
            words = words[count:]
        self.running(words, top, columns)
        if notes:
            self.notes(notes, self.right + gutter, top)

    def font(self, em):
        return ImageFont.truetype(self.path, max(9, round(em)))

    def strike(self, x, y, text, font, kind=""):
        self.pen.text((x, y), text, font=font, fill=INK, anchor="ls")
        left, _, right, _ = font.getbbox(text, anchor="ls")
        high = -font.getbbox("H", anchor="ls")[1] / 0.7
        self.boxes.append((x + left, y - 0.77 * high, right - left, 1.01 * high))
        self.kinds.append(kind)

    def heading(self, words, em):
        y, x = FIRST + em, EDGE + 60
        font = self.font(em)
        for word in words:
            long = font.getlength(word["text"])
            if x + long > SIZE[0] - EDGE:
                x, y = EDGE + 60, y + em * 1.3
            self.strike(x, y, word["text"], font, "heading")
            x += long + em * 0.35
        return y + em * 0.7

    def dropped(self, x, y, text):
        """A word whose first letter is three lines high; its box is that of its row, from edge to edge."""
        large, font = self.font(self.em * 4.7), self.font(self.em)
        self.pen.text((x, y + 2.6 * self.em), text[0].upper(), font=large, fill=INK, anchor="ls")
        left, _, _, _ = large.getbbox(text[0].upper(), anchor="ls")
        self.strike(x + self.initial(text), y, text[1:], font, "drop capital")
        rest = self.boxes[-1]
        self.boxes[-1] = (x + left, rest[1], rest[0] + rest[2] - x - left, rest[3])

    def initial(self, text):
        """The room that a drop capital takes from the first three lines."""
        return self.font(self.em * 4.7).getlength(text[0].upper()) + 0.15 * self.em

    def notes(self, words, left, top):
        """Notes of a few lines each, at three heights."""
        font, em = self.font(self.em * 0.72), self.em * 0.72
        share = math.ceil(len(words) / 3)
        for place in range(3):
            x, y = left, top + em * 1.3 + (LAST - top) * place / 3
            for word in words[share * place : share * (place + 1)]:
                long = font.getlength(word["text"])
                if x > left and x + long > left + NOTE_WIDE:
                    x, y = left, y + em * 1.25
                self.strike(x, y, word["text"], font, "margin")
                x += long + em * 0.3

    def running(self, words, top, columns):
        em, font = self.em, self.font(self.em)
        depth = (LAST - top) / 1
        rough = sum(font.getlength(w["text"]) + em * 0.3 for w in words) / self.wide * 1.3
        foot = (
            min(LAST, top + max(3, math.ceil(rough * 1.25 / columns)) * em * 1.3)
            if columns > 1
            else top + depth
        )
        column, y, line = 0, top, None
        rows = []
        drops = self.drop and words[0]["text"][1:].isalpha()
        initial = self.initial(words[0]["text"]) if drops else 0.0
        for at, word in enumerate(words):
            spaced = em * 0.16 if line is not None and word["line"] % 11 == 7 else 0.0
            long = font.getlength(word["text"]) + spaced * max(0, len(word["text"]) - 1)
            if drops and at == 0:
                long = initial + font.getlength(word["text"][1:])
            new = word["line"] != line and (line is None or word["line"] % 4 == 0)
            if not rows or new or rows[-1][-1][1] + long > self.wide:
                rows.append([])
                x = em * 1.1 if new and at else 0.0
                if at == 0:
                    x = 0.0
                elif len(rows) <= 3:
                    x = initial or x
            rows[-1].append((word, x + long, x, spaced))
            x += long + em * (0.3 if not spaced else 0.62)
            line = word["line"]
        for number, row in enumerate(rows):
            y += em * 1.3
            if y > foot and column + 1 < columns:
                column, y = column + 1, top + em * 1.3
            if y > LAST:
                self.fits = False
                return
            last = number + 1 == len(rows) or rows[number + 1][0][2] > 0
            slack = 0.0 if last or len(row) < 2 else (self.wide - row[-1][1]) / (len(row) - 1)
            slack = 0.0 if slack > em else slack
            for place, (word, _, x, spaced) in enumerate(row):
                at = self.lefts[column] + x + slack * place
                if drops and number == place == 0:
                    self.dropped(at, y, word["text"])
                elif spaced:
                    self.letterspaced(at, y, word["text"], font, spaced)
                else:
                    self.strike(at, y, word["text"], font)
            if number % 9 == 4 and columns == 1:
                # A mark of a reader or of the printer in the margin is in no text.
                self.pen.text((EDGE - 70, y), "*", font=font, fill=INK, anchor="ls")

    def letterspaced(self, x, y, text, font, spaced):
        begin = len(self.boxes)
        for sign in text:
            self.strike(x, y, sign, font)
            x += font.getlength(sign) + spaced
        parts, self.kinds[begin:] = self.boxes[begin:], ["letterspaced"]
        left, right = min(p[0] for p in parts), max(p[0] + p[2] for p in parts)
        self.boxes[begin:] = [(left, parts[0][1], right - left, parts[0][3])]


def warped(page, boxes, chance):
    """Seen aslant, and bent towards one edge."""
    width, height = page.size
    lean, curl = chance.uniform(-1, 1) * 1.6e-5, chance.uniform(0.5, 1) * 30 * chance.choice((-1, 1))

    def ahead(x, y):
        y = y + curl * max(0.0, x / width - 0.35) ** 2 / 0.42
        far = 1 + lean * (y - height / 2)
        return width / 2 + (x - width / 2) / far, height / 2 + (y - height / 2) / far

    def back(x, y):
        v = (y - height / 2) / (1 - lean * (y - height / 2))
        x = width / 2 + (x - width / 2) * (1 + lean * v)
        return x, height / 2 + v - curl * max(0.0, x / width - 0.35) ** 2 / 0.42

    mesh = []
    for left in range(0, width, MESH):
        for top in range(0, height, MESH):
            right, foot = left + MESH, top + MESH
            quad = [back(*point) for point in ((left, top), (left, foot), (right, foot), (right, top))]
            mesh.append(((left, top, right, foot), [side for point in quad for side in point]))
    moved = page.transform(page.size, Image.Transform.MESH, mesh, Image.Resampling.BICUBIC, fillcolor=PAPER)
    found = []
    for x, y, w, h in boxes:
        corners = [ahead(*corner) for corner in ((x, y), (x + w, y), (x, y + h), (x + w, y + h))]
        middle = ahead(x + w / 2, y + h / 2)[1]
        left, right = min(c[0] for c in corners), max(c[0] for c in corners)
        found.append((left, middle - h / 2, right - left, h))
    return moved, found
