"""Every address of the site."""

from django.urls import URLPattern, URLResolver, include, path

from designer.views import (
    attributes,
    decisions,
    entities,
    exports,
    findings,
    gallery,
    history,
    keep,
    landing,
    patterns,
    pins,
    relationships,
    settings,
    text,
    workspace,
)

of_a_design = [
    path("", workspace.workspace, name="workspace"),
    path("rev", workspace.news, name="news"),
    path("undo/", workspace.undo, name="undo"),
    path("redo/", workspace.redo, name="redo"),
    path("keep/", keep.keep, name="keep"),
    path("settings/", settings.settings, name="settings"),
    path("entities/add/", entities.add, name="entity-add"),
    path("entities/<str:key>/", entities.entity, name="entity"),
    path("entities/<str:key>/remove/", entities.remove, name="entity-remove"),
    path("entities/<str:entity>/attributes/add/", attributes.add, name="attribute-add"),
    path("entities/<str:entity>/attributes/<str:key>/", attributes.attribute, name="attribute"),
    path(
        "entities/<str:entity>/attributes/<str:key>/remove/",
        attributes.remove,
        name="attribute-remove",
    ),
    path("relationships/add/", relationships.add, name="relationship-add"),
    path("relationships/<str:key>/", relationships.relationship, name="relationship"),
    path("relationships/<str:key>/remove/", relationships.remove, name="relationship-remove"),
    path("patterns/add/", patterns.add, name="pattern-add"),
    path("patterns/<str:key>/", patterns.pattern, name="pattern"),
    path("patterns/<str:key>/remove/", patterns.remove, name="pattern-remove"),
    path("decisions/", decisions.decisions, name="decisions"),
    path("pins/", pins.pins, name="pins"),
    path("pins/add/", pins.add, name="pin-add"),
    path("pins/add/<str:style>/<path:about>/", pins.add, name="pin-this"),
    path("pins/<str:key>/remove/", pins.remove, name="pin-remove"),
    path("findings/<str:rule>/ignore/", findings.ignore, name="rule-ignore"),
    path("findings/<str:rule>/<path:about>/ignore/", findings.ignore, name="finding-ignore"),
    path("findings/heed/", findings.heed, name="finding-heed"),
    path("text/", text.text, name="text"),
    path("text/design.<str:format>", text.download, name="text-download"),
    path("exports/", exports.exports, name="exports"),
    path("exports/<str:exporter>/<str:style>/", exports.download, name="export"),
    path("history/", history.history, name="history"),
    path("history/<int:number>/restore/", history.restore, name="restore"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", landing.landing, name="landing"),
    path("gallery/", gallery.gallery, name="gallery"),
    path("gallery/<slug:slug>/", gallery.design, name="gallery-design"),
    path("gallery/<slug:slug>/copy/", gallery.copy, name="gallery-copy"),
    path("d/<slug:slug>/", include(of_a_design)),
    path("", include("projects.urls")),
]
