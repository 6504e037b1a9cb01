"""Addresses of the pads: JSON for programs, most of which take a form as well, and pages."""

from django.urls import URLPattern, URLResolver, path, re_path

from scorepad.views import (
    actions,
    api,
    codes,
    correct,
    evenings,
    help,
    history,
    imports,
    join,
    pad,
    pwa,
    readings,
    start,
    table,
    why,
)

programs: list[URLPattern | URLResolver] = [
    path("pads/", start.create, name="pads"),
    path("pads/import/", imports.import_json, name="import"),
    path("pads/join/", join.join, name="join"),
    path("pads/<slug:code>/entries/", api.entries, name="entries"),
    path("pads/<slug:code>/preview/", api.preview, name="preview"),
    path("pads/<slug:code>/sheet.json", api.sheet_json, name="sheet-json"),
    path("pads/<slug:code>/result.json", api.result_json, name="result-json"),
    path("pads/<slug:code>/pad.json", api.pad_json, name="pad-json"),
    path("pads/<slug:code>/log.json", api.log_json, name="log-json"),
    path("pads/<slug:code>/play.json", api.play_json, name="play-json"),
    path("pads/<slug:code>/about.json", api.about_json, name="about-json"),
    path("pads/<slug:code>/links.json", api.links_json, name="links-json"),
    path("pads/<slug:code>/draft.json", api.draft_json, name="draft-json"),
    path("pads/<slug:code>/sheet.csv", api.sheet_csv, name="sheet-csv"),
    path("pads/<slug:code>/draft/", api.draft_fill, name="draft"),
    path("pads/<slug:code>/draft/drop/", api.draft_drop, name="draft-drop"),
    path("pads/<slug:code>/draft/complete/", api.draft_complete, name="draft-complete"),
    path("evenings/<slug:code>/evening.json", evenings.evening_json, name="evening-json"),
    path("pads/<slug:code>/checks/", actions.count_check, name="checks"),
    path("pads/<slug:code>/seat/", actions.seat, name="seat"),
    path("pads/<slug:code>/next/", join.next_pad, name="next"),
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
    # A link's token is long; an address that only lacks its last slash is not taken for one.
    re_path(r"^pads/(?P<code>[-\w]+)/(?P<token>[-\w]{20,100})$", join.enter, name="enter"),
]

pages: list[URLPattern | URLResolver] = [
    path("join/", join.join_page, name="join-page"),
    path("sw.js", pwa.script, name="worker"),
    path("manifest.webmanifest", pwa.manifest, name="manifest"),
    path("pads/new/", start.start, name="start"),
    path("pads/samples/", history.sample_page, name="samples"),
    path("pads/<slug:code>/", pad.page, name="pad"),
    path("pads/<slug:code>/fragment/", pad.fragment, name="pad-fragment"),
    path("pads/<slug:code>/tap/", pad.tap, name="tap"),
    path("pads/<slug:code>/why/<int:number>/", why.why, name="why"),
    path("pads/<slug:code>/help/", help.help_panel, name="help"),
    path("pads/<slug:code>/correct/<path:entry_id>/", correct.correct, name="correct"),
    path("pads/<slug:code>/table/", table.table, name="table"),
    path("pads/<slug:code>/forget/", join.forget, name="forget"),
    path("pads/<slug:code>/history/", history.history, name="history"),
    path("pads/<slug:code>/after/", history.went, name="went"),
    path("pads/<slug:code>/readings/", readings.readings, name="readings"),
    path("pads/<slug:code>/print/", history.printed, name="print"),
    path("pads/<slug:code>/code/", codes.shown, name="code"),
    # A camera reads capitals: a QR code of capitals and digits alone is smaller.
    re_path(r"^[qQ]/(?P<text>[A-Za-z0-9.]*)/?$", codes.opened, name="code-opened"),
    path("evenings/<slug:code>/", evenings.evening_page, name="evening"),
]

# A pad's own address would match /pads/join/ and /pads/import/ as well, so those come first.
urlpatterns = [*programs, *pages]
