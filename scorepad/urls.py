"""The addresses of the pads: pages and JSON. A form sent to a JSON address goes to its page view."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from scorepad.views import actions, api, arriving

urlpatterns: list[URLPattern | URLResolver] = [
    path("pads/", api.make, name="pads"),
    path("pads/import/", api.bring_in, name="import"),
    path("pads/join/", arriving.join, name="join"),
    path("", include("scorepad.page_urls")),
    path("pads/<slug:code>/entries/", api.entries, name="entries"),
    path("pads/<slug:code>/preview/", api.foresee, name="preview"),
    path("pads/<slug:code>/sheet.json", api.sheet_json, name="sheet-json"),
    path("pads/<slug:code>/result.json", api.result_json, name="result-json"),
    path("pads/<slug:code>/pad.json", api.pad_json, name="pad-json"),
    path("pads/<slug:code>/log.json", api.log_json, name="log-json"),
    path("pads/<slug:code>/play.json", api.play_json, name="play-json"),
    path("pads/<slug:code>/about.json", actions.about_json, name="about-json"),
    path("pads/<slug:code>/links.json", actions.links_json, name="links-json"),
    path("pads/<slug:code>/draft.json", api.draft_json, name="draft-json"),
    path("pads/<slug:code>/sheet.csv", api.sheet_csv, name="sheet-csv"),
    path("pads/<slug:code>/draft/", api.draft_fill, name="draft"),
    path("pads/<slug:code>/draft/drop/", api.draft_drop, name="draft-drop"),
    path("pads/<slug:code>/draft/complete/", api.draft_complete, name="draft-complete"),
    path("pads/<slug:code>/checks/", api.count_check, name="checks"),
    path("pads/<slug:code>/seat/", api.seat, name="seat"),
    path("pads/<slug:code>/next/", arriving.next_pad, name="next"),
    path("pads/<slug:code>/names/", actions.names, name="names"),
    path("pads/<slug:code>/settings/", actions.settings, name="settings"),
    path("pads/<slug:code>/links/", actions.change_links, name="links"),
    path("pads/<slug:code>/join/", actions.join_code, name="join-code"),
    path("pads/<slug:code>/stay/", actions.stay, name="stay"),
    path("pads/<slug:code>/stop/", actions.stop, name="stop"),
    path("pads/<slug:code>/reopen/", actions.reopen, name="reopen"),
    path("pads/<slug:code>/rematch/", actions.rematch, name="rematch"),
    path("pads/<slug:code>/again/", actions.again, name="again"),
    path("pads/<slug:code>/keep/", actions.keep, name="keep"),
    path("pads/<slug:code>/delete/", actions.delete, name="delete"),
    path("evenings/<slug:code>/evening.json", api.evening_json, name="evening-json"),
    # A link's token is long; an address that only lacks its last slash is not taken for one.
    re_path(r"^pads/(?P<code>[-\w]+)/(?P<token>[-\w]{20,100})$", arriving.enter, name="enter"),
]
