"""Files that mean no good, and some that only look so: made by a seed, of every kind we could think of."""

import io
import random
import struct
import zipfile
import zlib

from PIL import Image

HTML = b"<!DOCTYPE html><html><script>alert(document.cookie)</script></html>"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
PDF = b"%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF\n"
PHP = b"<?php system($_GET['c']); ?>"
JS = b"/*\xff*/=1;alert(1)//"


def saved(image, kind, **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def picture(width=240, height=180, mode="RGB", seed=1):
    """Noise on a gradient: it does not compress to nothing, so that a cut file is really cut."""
    noise = Image.frombytes("L", (60, 45), random.Random(seed).randbytes(2700)).resize((width, height))
    shade = Image.linear_gradient("L").resize((width, height))
    return Image.merge("RGB", (noise, shade, Image.blend(noise, shade, 0.5))).convert(mode)


def archive():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("index.html", HTML)
    return out.getvalue()


def good():
    """One good file of each kind, to spoil."""
    return {
        "jpeg": saved(picture(), "JPEG", quality=85),
        "progressive": saved(picture(), "JPEG", quality=85, progressive=True),
        "png": saved(picture(), "PNG"),
        "webp": saved(picture(), "WEBP", quality=80),
        "lossless": saved(picture(), "WEBP", lossless=True),
    }


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_with(kind, body, png=None):
    """A PNG with one more chunk behind its head."""
    png = png or good()["png"]
    return png[:33] + chunk(kind, body) + png[33:]


def png_of(width, height, depth=1, colour=0, rows=b""):
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def segment(marker, body):
    return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body


def jpeg_with(marker, body, jpeg=None):
    jpeg = jpeg or good()["jpeg"]
    return jpeg[:2] + segment(marker, body) + jpeg[2:]


def webp_with(kind, body):
    """An extended WebP that carries one more chunk."""
    plain = good()["webp"][12:]
    size = struct.pack("<I", 239)[:3] + struct.pack("<I", 179)[:3]
    extended = b"VP8X" + struct.pack("<I", 10) + b"\x0c\x00\x00\x00" + size
    more = kind + struct.pack("<I", len(body)) + body + b"\x00" * (len(body) % 2)
    inside = b"WEBP" + extended + plain + more
    return b"RIFF" + struct.pack("<I", len(inside)) + inside


def exif_saying(words):
    exif = Image.Exif()
    exif[0x010E] = words
    return exif.tobytes()


def with_size(jpeg, width, height):
    at = next(i for i in range(2, len(jpeg)) if jpeg[i] == 0xFF and jpeg[i + 1] in (0xC0, 0xC2))
    return jpeg[: at + 5] + struct.pack(">HH", height, width) + jpeg[at + 9 :]


def wrong_types(chance):
    first = {
        "nothing": b"",
        "one byte": b"\xff",
        "page": HTML,
        "drawing": SVG,
        "drawing with head": b'<?xml version="1.0"?>\n' + SVG,
        "document": PDF,
        "archive": archive(),
        "script": JS,
        "php": PHP,
        "shell": b"#!/bin/sh\nrm -rf /\n",
        "elf": b"\x7fELF\x02\x01\x01" + bytes(60),
        "exe": b"MZ\x90\x00" + bytes(60),
        "gif": saved(picture(mode="P"), "GIF"),
        "gif that is script": b"GIF89a/*" + bytes(20) + b"*/=1;alert(1)",
        "bmp": saved(picture(), "BMP"),
        "ico": saved(picture(64, 64), "ICO"),
        "ppm": saved(picture(), "PPM"),
        "tga": saved(picture(), "TGA"),
        "big tiff": b"II+\x00" + bytes(60),
        "eps": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1 1\n(/etc/passwd) run\n",
        "heic": bytes([0, 0, 0, 24]) + b"ftypheic" + bytes(60),
        "avif": bytes([0, 0, 0, 24]) + b"ftypavif" + bytes(60),
        "film": bytes([0, 0, 0, 24]) + b"ftypisom" + bytes(60),
        "psd": b"8BPS\x00\x01" + bytes(60),
        "text": b"Dear curator, here is the scan.",
        "gzip": zlib.compress(HTML),
        "riff that is sound": b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(30),
    }
    yield from first.items()
    for number in range(4):
        yield f"noise {number}", chance.randbytes(3_000 * (number + 1))


def cut_short(chance):
    for name, whole in good().items():
        for part in (0.02, 0.3, 0.6, 0.99):
            at = max(int(len(whole) * part) + chance.randrange(-3, 4), 12)
            yield f"{name} cut at {at}", whole[: min(at, len(whole) - 2)]


def damaged(chance):
    files = good()
    for number in range(4):
        png = bytearray(files["png"])
        png[chance.randrange(60, len(png) - 20)] ^= 0x55
        yield f"png with a wrong byte {number}", bytes(png)
    for number in range(3):
        jpeg = bytearray(files["jpeg"])
        # Over where a table begins: within one it would only be another picture.
        at = chance.randrange(2, jpeg.index(b"\xff\xdb") + 1)
        jpeg[at : at + 40] = chance.randbytes(40)
        yield f"jpeg with a broken head {number}", bytes(jpeg)
    yield "png without pixels", png_of(200, 200)[:33] + chunk(b"IEND", b"")
    yield "png of no height", png_of(200, 0)
    yield "png whose pixels are too few", png_of(2_000, 2_000, rows=b"\x00" * 100)
    yield "png whose head comes twice", png_with(b"IHDR", files["png"][16:29])
    yield "jpeg without a frame", files["jpeg"][:2] + b"\xff\xd9"
    yield "jpeg with two frames", jpeg_with(0xC0, b"\x08\x00\x10\x00\x10\x01\x01\x11\x00")
    yield "jpeg of twelve bits", files["jpeg"].replace(b"\xff\xc0\x00\x11\x08", b"\xff\xc0\x00\x11\x0c")
    yield "webp with a wrong length", files["webp"][:4] + b"\xff\xff\xff\x0f" + files["webp"][8:]
    yield "webp without a picture", b"RIFF\x04\x00\x00\x00WEBP"


def two_things_at_once():
    extra = {"page": HTML, "archive": archive(), "document": PDF, "php": PHP, "script": JS, "drawing": SVG}
    files = good()
    for name, behind in extra.items():
        for kind in ("jpeg", "png", "webp"):
            yield f"{kind} with {name} behind", files[kind] + behind
    for name, before in (("page", HTML), ("document", PDF), ("archive", archive()), ("script", JS)):
        yield f"{name} with a jpeg behind", before + files["jpeg"]
    yield "jpeg with a page in its comment", jpeg_with(0xFE, HTML)
    yield "jpeg with an archive in its comment", jpeg_with(0xFE, archive())
    yield "jpeg with a page in its exif", saved(picture(), "JPEG", exif=exif_saying(HTML.decode()))
    yield "jpeg with php in its xmp", jpeg_with(0xE1, b"http://ns.adobe.com/xap/1.0/\x00" + PHP)
    yield "jpeg with a page in its second picture", files["jpeg"] + jpeg_with(0xFE, HTML)
    yield "jpeg with a film that is no film", files["jpeg"] + b"\x00\x00\x00\x10ftypisom" + bytes(4) + HTML
    yield "jpeg with a maker's note that is a page", files["jpeg"] + b"SEFH" + HTML + b"SEFT"
    yield "png with a page in its text", png_with(b"tEXt", b"Comment\x00" + HTML)
    yield "png with a drawing in its text", png_with(b"iTXt", b"XML\x00\x00\x00\x00\x00" + SVG)
    yield "webp with a page in its xmp", webp_with(b"XMP ", HTML)


def several_pictures():
    frames = [picture(seed=seed) for seed in range(3)]
    yield "animated png", saved(frames[0], "PNG", save_all=True, append_images=frames[1:])
    yield "animated webp", saved(frames[0], "WEBP", save_all=True, append_images=frames[1:])


def bombs():
    files = good()
    yield "png of 30000 × 30000 in a few bytes", png_of(30_000, 30_000, rows=b"\x00" * 100_000)
    yield "png of 9000 × 9000", png_of(9_000, 9_000, rows=b"\x00" * 1_126 * 9_000)
    yield "png of 2147483647 a side", png_of(2**31 - 1, 2**31 - 1)
    yield "png of 15000 × 15000 in colour", png_of(15_000, 15_000, 8, 2)
    yield "jpeg of 65500 a side", with_size(files["jpeg"], 65_500, 65_500)
    yield "jpeg of 15000 a side", with_size(files["progressive"], 15_000, 15_000)
    yield "png of one long row", png_of(60_000, 120)
    yield "png of one point", png_of(1, 1, rows=b"\x00\x00")
    yield (
        "png with a profile that unpacks to 50 million bytes",
        png_with(b"iCCP", b"x\x00\x00" + zlib.compress(bytes(50_000_000))),
    )
    yield "png with a note of nine million bytes", png_with(b"tEXt", b"Note\x00" + b"a" * 9_000_000)
    comments = segment(0xFE, b"a" * 65_000) * 140
    yield "jpeg with notes of nine million bytes", files["jpeg"][:2] + comments + files["jpeg"][2:]
    yield "webp with a note of nine million bytes", webp_with(b"EXIF", b"a" * 9_000_000)
    yield "jpeg of a thousand passes", many_passes(files["progressive"])


def pdf_of(*objects, root=1):
    """A PDF of these objects, numbered from 1; the first is its catalogue. It has no table of their places: a
    reader looks for the objects itself."""
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (n, one) for n, one in enumerate(objects, 1))
    return b"%PDF-1.7\n" + body + b"trailer\n<< /Root %d 0 R >>\n%%%%EOF\n" % root


def stream(content, more=b"", packed=True):
    if packed:
        content, more = zlib.compress(content, 9), more + b" /Filter /FlateDecode"
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), more, content)


def pdf_page(content=b"0 0 100 60 re f", box=b"0 0 200 280", resources=b"", *more, catalog=b"", packed=True):
    """A PDF of one page that is drawn by these commands; `more` are objects from number 5 on."""
    return pdf_of(
        b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [%s] /Contents 4 0 R /Resources << %s >> >>"
        % (box, resources),
        stream(content, packed=packed),
        *more,
    )


def pdf_pages(count):
    """A PDF of so many pages, each with a mark at another place."""
    kids = b" ".join(b"%d 0 R" % (3 + 2 * n) for n in range(count))
    pages = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count)]
    for n in range(count):
        head = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 280] /Contents %d 0 R >>"
        pages += [head % (4 + 2 * n), stream(b"%d 40 60 160 re f" % (5 + n % 30 * 4))]
    return pdf_of(*pages)


def documents():
    """Documents that no page comes from: empty, locked, endless, or made to be dear."""
    picture_of = b"/Type /XObject /Subtype /Image /BitsPerComponent 1 /ColorSpace /DeviceGray"
    huge = b"%s /Width 60000 /Height 60000" % picture_of
    form = (
        b"/Type /XObject /Subtype /Form /BBox [0 0 200 280] /Resources << /XObject << /A 5 0 R /B 5 0 R >> >>"
    )
    locked = pdf_page()[: -len(b">>\n%%EOF\n")] + (
        b"/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O (%s) /U (%s) >> >>\n%%%%EOF\n"
        % (b"o" * 32, b"u" * 32)
    )
    yield "pdf without a page", pdf_of(b"<< /Type /Catalog >>")
    yield "pdf that asks for a password", locked
    yield "pdf that is cut", pdf_pages(3)[:120]
    yield "pdf of noise", b"%PDF-1.4\n" + random.Random(7).randbytes(5_000)
    yield "pdf of 201 pages", pdf_pages(201)
    yield (
        "pdf whose pages lead in a ring",
        pdf_of(b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [2 0 R] /Count 9 >>"),
    )
    yield "pdf of a point", pdf_page(box=b"0 0 1 1")
    yield "pdf as long as a street", pdf_page(box=b"0 0 100000000 1")
    yield "pdf with an empty page", pdf_page(b"")
    yield (
        "pdf that draws itself",
        pdf_page(b"/A Do", b"0 0 200 280", b"/XObject << /A 5 0 R >>", stream(b"/A Do /B Do", form)),
    )
    yield (
        "pdf with a picture of 60000 a side",
        pdf_page(
            b"200 0 0 280 0 0 cm /A Do",
            b"0 0 200 280",
            b"/XObject << /A 5 0 R >>",
            stream(bytes(9_000), huge),
        ),
    )
    yield "pdf that unpacks to 400 million bytes", pdf_page(b"0 0 m 9 9 l S " * 28_000_000)
    whole = saved(picture(), "TIFF")
    yield "tiff that is cut", whole[: len(whole) // 2]
    yield "tiff of 70000 a side", tiff_of(70_000, 70_000)
    yield "tiff of 15000 a side", tiff_of(15_000, 15_000)
    yield "tiff of noise", b"II*\x00\x08\x00\x00\x00" + random.Random(8).randbytes(3_000)


def tiff_of(width, height):
    """A TIFF that says it is so large, with hardly any pixels in it."""
    tags = [
        (256, width),
        (257, height),
        (258, 8),
        (259, 1),
        (262, 1),
        (273, 8),
        (277, 1),
        (278, height),
        (279, 99),
    ]
    head = b"II*\x00" + struct.pack("<I", 8) + struct.pack("<H", len(tags))
    return head + b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags) + bytes(200)


def many_passes(jpeg):
    """The last pass again and again: each costs a walk over all pixels and adds nothing."""
    at = jpeg.rfind(b"\xff\xda")
    return jpeg[:at] + jpeg[at:-2] * 1_000 + jpeg[-2:]


def hostile_files(seed=1926):
    """Name and content of more than a hundred files; every one of them must be refused."""
    chance = random.Random(seed)
    for kind in (wrong_types(chance), cut_short(chance), damaged(chance)):
        yield from kind
    for kind in (two_things_at_once(), several_pictures(), bombs()):
        yield from kind
