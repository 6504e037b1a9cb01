from django.urls import URLPattern, URLResolver, path, re_path

from archive import door_urls
from archive.iiif import image_api
from archive.views import books, games, search, sitemaps, variant_doors

urlpatterns: list[URLPattern | URLResolver] = [
    path("books/<slug:slug>/", books.book, name="book"),
    path("books/<slug:slug>/text.txt", books.text, name="book-text"),
    path("books/<slug:slug>/book.json", books.book_json, name="book-json"),
    path("books/<slug:slug>/cite.<slug:format>", books.cite, name="book-cite"),
    path("books/<slug:slug>/<int:number>/", books.leaf, name="leaf"),
    path("books/<slug:slug>/passages/<slug:anchor>/", books.passage, name="passage"),
    path("books/<slug:slug>/passages/<slug:anchor>/cite.<slug:format>", books.cite, name="passage-cite"),
    path("variants/", games.variants, name="variants"),
    path("variants/compare/<slug:game>/", games.compare, name="compare"),
    path("variants/<slug:slug>/", games.variant, name="variant"),
    path("variants/<slug:slug>/variant.json", variant_doors.variant_json, name="variant-json"),
    path("variants/of/<slug:game>.json", variant_doors.variants_json, name="variants-json"),
    path("questions/<slug:game>/", games.questions, name="questions"),
    path("brief/", games.briefs, name="briefs"),
    path("brief/<slug:game>/", games.brief, name="brief"),
    path("search/", search.search, name="search"),
    path("sitemap.xml", sitemaps.sitemap, name="sitemap"),
    re_path(r"^sitemap-(?P<number>[0-9]{1,6})\.xml$", sitemaps.sitemap_part, name="sitemap-part"),
    path("robots.txt", sitemaps.robots, name="robots"),
    *image_api.urlpatterns,
    *door_urls.urlpatterns,
]
