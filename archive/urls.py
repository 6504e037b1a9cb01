from django.urls import URLPattern, URLResolver, path, re_path

from archive.feeds import views
from archive.iiif.views import image_api, presentation
from archive.views import (
    books,
    brief,
    downloads,
    iiif_import,
    jobs,
    ocr_proposals,
    parallel_texts,
    passages,
    questions,
    scan_uploads,
    search,
    simulation,
    sitemaps,
    sources,
    variants,
)

IMAGE = "iiif/image/3/<str:identifier>"
CANVAS = "iiif/3/<slug:slug>/canvas/<int:number>"

pages: list[URLPattern | URLResolver] = [
    path("parallel/", parallel_texts.pairs, name="parallel-pairs"),
    path("parallel/<slug:first>/<slug:second>/", parallel_texts.pair, name="parallel"),
    path("parallel/<slug:first>/<slug:second>/cite.<slug:format>", parallel_texts.cite, name="parallel-cite"),
    path("sources/", sources.sources, name="sources"),
    path("books/<slug:slug>/sample-pad/", sources.sample_pad, name="sample-pad"),
    path("books/<slug:slug>/", books.book, name="book"),
    path("books/<slug:slug>/text.txt", downloads.text, name="book-text"),
    path("books/<slug:slug>/book.json", downloads.book_json, name="book-json"),
    path("books/<slug:slug>/cite.<slug:format>", downloads.cite, name="book-cite"),
    path("books/<slug:slug>/notes/<slug:id>/cite.<slug:format>", downloads.cite_a_note, name="note-cite"),
    path("books/<slug:slug>/<int:number>/", books.leaf, name="leaf"),
    path("books/<slug:slug>/passages/<slug:anchor>/", passages.passage, name="passage"),
    path("books/<slug:slug>/passages/<slug:anchor>/card.jpg", passages.card, name="passage-card"),
    path("books/<slug:slug>/passages/<slug:anchor>/cite.<slug:format>", downloads.cite, name="passage-cite"),
    path("books/<slug:slug>/scans/upload/", scan_uploads.upload, name="upload-scans"),
    path("books/<slug:slug>/scans/iiif/", iiif_import.iiif_import, name="iiif-import"),
    path("books/<slug:slug>/scans/stack/", jobs.stack, name="stack"),
    path("books/<slug:slug>/scans/jobs/<int:number>/", jobs.job, name="job"),
    path("books/<slug:slug>/scans/<int:number>/read/", ocr_proposals.propose_text, name="read-scan"),
    path("variants/", variants.variants, name="variants"),
    path("variants/compare/<slug:game>/", variants.compare, name="compare"),
    path("variants/<slug:slug>/", variants.variant, name="variant"),
    path("variants/<slug:slug>/variant.json", variants.variant_json, name="variant-json"),
    path("variants/of/<slug:game>.json", variants.variants_json, name="variants-json"),
    path("questions/<slug:game>/", questions.questions, name="questions"),
    path("questions/<slug:game>/simulated/", simulation.method, name="simulated"),
    path(
        "questions/<slug:game>/<slug:option>/<slug:value>/<int:place>/",
        simulation.evening,
        name="simulated-evening",
    ),
    path("brief/", brief.briefs, name="briefs"),
    path("brief/<slug:game>/", brief.brief, name="brief"),
    path("search/", search.search, name="search"),
    path("sitemap.xml", sitemaps.sitemap, name="sitemap"),
    re_path(r"^sitemap-(?P<number>[0-9]{1,6})\.xml$", sitemaps.sitemap_part, name="sitemap-part"),
    path("robots.txt", sitemaps.robots, name="robots"),
]
images: list[URLPattern | URLResolver] = [
    path(IMAGE, image_api.base, name="image"),
    path(f"{IMAGE}/", image_api.base),
    path(f"{IMAGE}/info.json", image_api.info, name="image-info"),
    path(
        f"{IMAGE}/<str:region>/<str:size>/<str:rotation>/<str:quality>.<str:format>",
        image_api.picture,
        name="image-request",
    ),
    path(f"{IMAGE}/<path:rest>", image_api.malformed),
]
interoperability: list[URLPattern | URLResolver] = [
    path("iiif/3/collection.json", presentation.collection, name="collection"),
    path("iiif/3/<slug:slug>/manifest.json", presentation.manifest, name="manifest"),
    path("iiif/3/<slug:slug>/notes.json", presentation.whole_notes, name="whole-notes"),
    path(CANVAS, presentation.canvas, name="canvas"),
    path(f"{CANVAS}/lines.json", presentation.lines, name="canvas-lines"),
    path(f"{CANVAS}/alto.xml", presentation.alto, name="canvas-alto"),
    path(f"{CANVAS}/notes.json", presentation.notes, name="canvas-notes"),
    path("iiif/search/<int:version>/<slug:slug>", presentation.content, name="content-search"),
    path("books/<slug:slug>/tei.xml", downloads.tei, name="book-tei"),
    path("changes.atom", views.changes, name="changes"),
    path("iiif/changes/activity.json", views.activities, name="activities"),
    path("iiif/changes/page-<int:number>.json", views.activity_page, name="activity-page"),
    path("oai", views.oai, name="oai"),
]
urlpatterns = pages + images + interoperability
