"""Designs for programs: read with a token, as JSON, of the design as it is, of a revision or of the approved one.

What goes wrong is told as problem details (RFC 9457): `type` is a word for programs, `detail` a sentence for people.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from http import HTTPStatus
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.http import HttpResponse, HttpResponseBase, JsonResponse
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt

from designer.core.design.document import Design
from designer.core.errors import SaidError
from designer.core.exporters import TEMPLATES
from designer.core.exporters.base import Options
from designer.core.lint import set_aside
from designer.core.messages import Message, say
from designer.core.plan import ALL_STYLES, Style
from designer.core.planner import VERSION
from designer.views.conditional import tag_of, unchanged
from designer.views.exports import ALARMS, exported
from designer.views.requests import Request
from designer.views.results import Asked as Outcome
from designer.views.results import evaluated, planned
from projects import api_tokens, documents, recording, reviews, revisions, typed
from projects.models import ApiToken, Draft, Revision, Right

JSON: dict[str, Any] = {"ensure_ascii": False, "indent": 2}
SAFE = ("GET", "HEAD")

Rest = ParamSpec("Rest")
Found = TypeVar("Found")


class ProblemError(SaidError):
    """Why a program doesn't get what it asked for."""

    def __init__(self, status: int, kind: str, reason: Message, **headers: str) -> None:
        super().__init__(reason)
        self.status = status
        self.kind = kind
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    def response(self) -> HttpResponse:
        body = {
            "type": f"urn:keywright:{self.kind}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": str(self),
        }
        response = JsonResponse(body, status=self.status, json_dumps_params=JSON)
        response.headers["Content-Type"] = "application/problem+json"
        for name, value in self.headers.items():
            response.headers[name] = value
        return response


@dataclass(frozen=True)
class Asked:
    """A revision of a design that a token opens."""

    draft: Draft
    revision: Revision
    at: str
    """As it was asked for: "draft", "approved" or a number."""

    @cached_property
    def design(self) -> Design:
        return revisions.design_of(self.revision)

    @cached_property
    def of(self) -> Draft:
        """What the plans are asked for of."""
        draft = self.draft
        return draft if self.at == "draft" else revisions.as_of(draft, self.revision)


def opening(
    view: Callable[..., HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Answer whoever brings a token, and tell everybody else what is wrong."""

    @csrf_exempt
    @wraps(view)
    def answered(request: Request, *args: Any, **given: Any) -> HttpResponseBase:
        response: HttpResponseBase
        try:
            if request.method not in SAFE:
                reason = say("address-read-only")
                raise ProblemError(405, "only-read", reason, Allow=", ".join(SAFE))
            response = view(request, _token(request), *args, **given)
        except ProblemError as problem:
            response = problem.response()
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    return answered


def reading(
    view: Callable[Concatenate[Request, Asked, Rest], HttpResponse],
) -> Callable[..., HttpResponseBase]:
    """The same for what follows from one revision, which is sent again only when something changed."""

    @wraps(view)
    def answered(
        request: Request,
        token: ApiToken,
        slug: str,
        at: str,
        *args: Rest.args,
        **given: Rest.kwargs,
    ) -> HttpResponseBase:
        draft = _draft(token, slug)
        asked = Asked(draft, _revision(draft, at), at)
        # Templates say who approved them.
        stands = reviews.standing(draft, asked.revision)
        tag = tag_of(request.get_full_path(), asked.revision.pk, VERSION, stands)
        known = unchanged(request, tag)
        if known is not None:
            return known
        response = view(request, asked, *args, **given)
        response.headers["ETag"] = tag
        response.headers["Keywright-Revision"] = str(asked.revision.number)
        response.headers["Keywright-Meaning"] = asked.revision.meaning
        return response

    return opening(answered)


@opening
def designs(request: Request, token: ApiToken) -> HttpResponse:
    """The designs that the token opens."""
    return _json([_described(draft) for draft in api_tokens.designs(token)])


@opening
def design(request: Request, token: ApiToken, slug: str) -> HttpResponse:
    """A design: which revision it is at, and which one is approved, and where their parts are."""
    draft = _draft(token, slug)
    approved = reviews.approved(draft)
    return _json(
        {
            **_described(draft),
            "draft": _pointer(draft, "draft", revisions.current(draft)),
            "approved": None if approved is None else _pointer(draft, "approved", approved),
        }
    )


@reading
def revision(request: Request, asked: Asked) -> HttpResponse:
    """A revision: its hash, and where its parts are."""
    return _json(
        {
            "design": asked.draft.slug,
            "name": asked.design.name,
            "revision": asked.revision.number,
            "meaning": asked.revision.meaning,
            "made_at": asked.revision.created_at,
            **_parts(asked.draft, asked.at),
        }
    )


@reading
def document(request: Request, asked: Asked) -> HttpResponse:
    """The design document, as JSON or YAML."""
    form = request.GET.get("format", "json")
    if form not in ("json", "yaml"):
        raise ProblemError(400, "no-such-format", say("formats-are", names=("json", "yaml")))
    written = documents.write(asked.design, "yaml" if form == "yaml" else "json")
    return HttpResponse(written, content_type=f"application/{form}; charset=utf-8")


@reading
def plan(request: Request, asked: Asked, style: str) -> HttpResponse:
    """The plan document."""
    made = _finished(planned(asked.of, asked.design, _style(style)))
    recording.use(asked.of)
    return _json(made.as_json())


@reading
def findings(request: Request, asked: Asked, style: str) -> HttpResponse:
    """What is unwise about the design and its plan in this style; with what the team sets aside, and why."""
    made = evaluated(asked.of, asked.design, [_style(style)])
    lines = []
    for finding in _finished(made).findings:
        ignored = set_aside(asked.design, finding)
        because = None if ignored is None else ignored.because
        lines.append({**finding.model_dump(mode="json"), "set_aside": because})
    return _json(lines)


@reading
def template(request: Request, asked: Asked, exporter: str, style: str) -> HttpResponse:
    """A template to deploy, in its own format."""
    if exporter not in TEMPLATES:
        raise ProblemError(404, "no-such-template", say("templates-are", names=tuple(TEMPLATES)))
    options = Options(
        alarms=ALARMS.get(request.GET.get("alarms", ""), ""),
        maximum=request.GET.get("maximum") == "1",
    )
    export = exported(asked.of, asked.design, exporter, _style(style), options)
    made = _finished(export)
    recording.use(asked.of)
    return HttpResponse(
        made.content,
        content_type=made.content_type,
        headers={"Content-Disposition": f'attachment; filename="{made.filename}"'},
    )


@opening
def nothing(request: Request, token: ApiToken, rest: str) -> HttpResponse:
    raise ProblemError(404, "no-such-address", say("nothing-at-address"))


def _token(request: Request) -> ApiToken:
    """One answer to whoever brings none, one that never was, one that is over, and one that was revoked."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    token = api_tokens.find(secret.strip()) if kind.lower() == "bearer" else None
    if token is None:
        raise ProblemError(
            401,
            "no-token",
            say("token-needed"),
            WWW_Authenticate='Bearer realm="Keywright"',
        )
    api_tokens.used(token)
    return token


def _draft(token: ApiToken, slug: str) -> Draft:
    draft = api_tokens.designs(token).filter(slug=slug).first()
    if draft is None:
        raise ProblemError(404, "no-such-design", say("token-opens-other-designs"))
    draft.rights = frozenset({Right.READ})
    return draft


def _revision(draft: Draft, at: str) -> Revision:
    if at == "draft":
        return revisions.current(draft)
    found = reviews.approved(draft) if at == "approved" else None
    number = typed.number(at)
    if number is not None:
        found = draft.revisions.filter(number=number).first()
    if found is None and at == "approved":
        raise ProblemError(409, "not-approved", say("no-revision-approved"))
    if found is None:
        raise ProblemError(404, "no-such-revision", say("revision-named-by"))
    return found


def _finished(asked: Outcome[Found]) -> Found:
    """Nothing of a plan that isn't finished, or of one from before."""
    if asked.found is not None:
        return asked.found
    if asked.stopped:
        raise ProblemError(422, "stopped", say("planning-stopped", reason=asked.stopped))
    if asked.standing == "planning":
        raise ProblemError(503, "planning", say("plan-not-ready"), Retry_After="2")
    raise ProblemError(500, "no-plan", say("plan-failed"))


def _described(draft: Draft) -> dict[str, Any]:
    return {
        "design": draft.slug,
        "name": draft.name,
        "url": reverse("api-design", args=[draft.slug]),
    }


def _pointer(draft: Draft, at: str, revision: Revision) -> dict[str, Any]:
    return {
        "revision": revision.number,
        "meaning": revision.meaning,
        "url": reverse("api-revision", args=[draft.slug, at]),
        **_parts(draft, at),
    }


def _parts(draft: Draft, at: str) -> dict[str, Any]:
    """Where what belongs to a revision is read."""

    def url(name: str, *about: str) -> str:
        return reverse(f"api-{name}", args=[draft.slug, at, *about])

    return {
        "document": url("document"),
        "plans": {style: url("plan", style) for style in ALL_STYLES},
        "findings": {style: url("findings", style) for style in ALL_STYLES},
        "templates": {
            slug: {style: url("template", slug, style) for style in ALL_STYLES}
            for slug in TEMPLATES
        },
    }


def _json(data: Any) -> HttpResponse:
    return JsonResponse(data, safe=False, json_dumps_params=JSON)


def _style(style: str) -> Style:
    if style not in ALL_STYLES:
        raise ProblemError(404, "no-such-style", say("styles-are", names=ALL_STYLES))
    return ALL_STYLES[ALL_STYLES.index(style)]
