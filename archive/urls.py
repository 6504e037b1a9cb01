from django.urls import URLPattern, URLResolver, path, re_path

from archive import door_urls
from archive.iiif import image_api as image
from archive.views import books, variant_doors
from archive.views import games as rules
from archive.views import search as finding
from archive.views import sitemaps as doors

urlpatterns: list[URLPattern | URLResolver] = [
    path("books/<slug:slug>/", books.book, name="book"),
    path("books/<slug:slug>/text.txt", books.text, name="book-text"),
    path("books/<slug:slug>/book.json", books.book_json, name="book-json"),
    path("books/<slug:slug>/cite.<slug:format>", books.cite, name="book-cite"),
    path("books/<slug:slug>/<int:number>/", books.leaf, name="leaf"),
    path("books/<slug:slug>/passages/<slug:anchor>/", books.passage, name="passage"),
    path("books/<slug:slug>/passages/<slug:anchor>/cite.<slug:format>", books.cite, name="passage-cite"),
    path("variants/", rules.variants, name="variants"),
    path("variants/compare/<slug:game>/", rules.compare, name="compare"),
    path("variants/<slug:slug>/", rules.variant, name="variant"),
    path("variants/<slug:slug>/variant.json", variant_doors.variant_json, name="variant-json"),
    path("variants/of/<slug:game>.json", variant_doors.variants_json, name="variants-json"),
    path("questions/<slug:game>/", rules.questions, name="questions"),
    path("brief/", rules.briefs, name="briefs"),
    path("brief/<slug:game>/", rules.brief, name="brief"),
    path("search/", finding.search, name="search"),
    path("sitemap.xml", doors.sitemap, name="sitemap"),
    re_path(r"^sitemap-(?P<number>[0-9]{1,6})\.xml$", doors.sitemap_part, name="sitemap-part"),
    path("robots.txt", doors.robots, name="robots"),
    *image.urlpatterns,
    *door_urls.urlpatterns,
]
