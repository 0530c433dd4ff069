"""A team: who is in it, who is invited, its projects."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from designer.core.messages import Message, say, text
from projects import access, api_tokens, invitations, links, quotas, teams
from projects.forms import InvitationForm, LinkForm, NameForm, RoleForm
from projects.models import Invitation, Membership, Project, Right, Role, Team
from projects.proxies import address_of


@login_required
@require_POST
def new(request: HttpRequest) -> HttpResponse:
    form = NameForm(request.POST)
    if not form.is_valid():
        messages.error(request, text(say("team-needs-name")))
        return redirect("designs")
    person = access.person_of(request)
    quotas.room_for_a_team(person)
    team = teams.create(form.cleaned_data["name"], person)
    return redirect("team", team.slug)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def team(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of a team; posted to, it gets another name."""
    found = access.team_for(request, slug)
    if request.method != "POST":
        return _page(request, found)
    form = NameForm(request.POST)
    if not form.is_valid():
        return _page(request, found, name_form=form, status=422)
    found.name = form.cleaned_data["name"]
    found.save(update_fields=["name"])
    return redirect("team", found.slug)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove the team with all its projects and designs."""
    found = access.team_for(request, slug)
    found.delete()
    messages.success(request, text(say("was-removed", name=found.name)))
    return redirect("designs")


@login_required
@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    found = access.team_for(request, slug, Right.READ)
    try:
        teams.remove(_own(request, found))
    except teams.RefusedError as refused:
        return _page(request, found, refused=refused, status=409)
    messages.success(request, text(say("team-left", team=found.name)))
    return redirect("designs")


@login_required
@require_POST
def role(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Give a member another role."""
    found = access.team_for(request, slug)
    member = _member(found, number)
    form = RoleForm(request.POST)
    if not form.is_valid():
        return _page(request, found, refused="There is no such role.", status=422)
    new_role = Role(form.cleaned_data["role"])
    said = say("has-role", name=str(member.user), role=new_role.label.lower())
    return _done(request, found, said, lambda: teams.change_role(member, new_role))


@login_required
@require_POST
def hand_over(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Make a member the owner in one's own place."""
    found = access.team_for(request, slug)
    mine, theirs = _own(request, found), _member(found, number)
    said = say("team-handed-over", name=str(theirs.user))
    return _done(request, found, said, lambda: teams.hand_over(mine, theirs))


@login_required
@require_POST
def remove_member(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    found = access.team_for(request, slug)
    member = _member(found, number)
    said = say("member-removed", name=str(member.user))
    return _done(request, found, said, lambda: teams.remove(member))


@login_required
@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite somebody by a letter."""
    found = access.team_for(request, slug)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _page(request, found, invitation_form=form, status=422)
    email, person, site = (
        form.cleaned_data["email"],
        access.person_of(request),
        address_of(request),
    )
    as_what = Role(form.cleaned_data["role"])

    def send() -> int:
        invitations.by_letter(found, email, as_what, person, site)
        return 0

    return _done(request, found, say("letter-sent", address=email), send)


@login_required
@require_POST
def link(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a link that lets whoever is given it into the team; the page shows it this once."""
    found = access.team_for(request, slug)
    form = LinkForm(request.POST)
    if not form.is_valid():
        return _page(request, found, link_form=form, status=422)
    role = Role(form.cleaned_data["role"])
    try:
        token = invitations.by_link(found, role, access.person_of(request))
    except teams.RefusedError as refused:
        return _page(request, found, refused=refused, status=409)
    url = address_of(request, reverse("invitation", args=[token]))
    return _page(request, found, new_link=url)


@login_required
@require_POST
def withdraw(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    found = access.team_for(request, slug)
    invitation = get_object_or_404(Invitation, team=found, pk=number)
    invitations.withdraw(invitation)
    messages.success(request, text(say("invitation-withdrawn")))
    return redirect("team", found.slug)


@login_required
@require_POST
def new_project(request: HttpRequest, slug: str) -> HttpResponse:
    found = access.team_for(request, slug, Right.EDIT)
    form = NameForm(request.POST)
    if not form.is_valid():
        return _page(request, found, project_form=form, status=422)
    quotas.room_for_a_project(found)
    project = Project.objects.create(team=found, name=form.cleaned_data["name"])
    return redirect("project", project.slug)


def _member(team: Team, number: int) -> Membership:
    member = team.memberships.select_related("user").filter(pk=number).first()
    if member is None:
        raise Http404("They are not in this team.")
    return member


def _own(request: HttpRequest, team: Team) -> Membership:
    return team.memberships.get(user=access.person_of(request))


def _done(request: HttpRequest, team: Team, said: Message, act: Callable[[], int]) -> HttpResponse:
    """Do what ends so many invitations, and say so on the team's page; where it cannot be, the page says why."""
    try:
        ended = act()
    except teams.RefusedError as refused:
        return _page(request, team, refused=refused, status=409)
    more = (say("invitations-ended"),) if ended else ()
    messages.success(request, text(say("all-done", sentences=(said, *more))))
    # Who took the right from themselves still sees the team; who took themselves out does not.
    return redirect("team", team.slug) if _is_in(request, team) else redirect("designs")


def _is_in(request: HttpRequest, team: Team) -> bool:
    return team.memberships.filter(user=access.person_of(request)).exists()


def _page(
    request: HttpRequest, team: Team, *, status: int = 200, **context: object
) -> HttpResponse:
    members = team.memberships.select_related("user").order_by("created_at", "pk")
    owners = [member.user for member in members if member.role == Role.OWNER]
    shown = {
        "name_form": NameForm({"name": team.name}),
        "invitation_form": InvitationForm(),
        "link_form": LinkForm(),
        "project_form": NameForm(),
        **context,
        "team": team,
        "members": members,
        "is_only_owner": owners == [request.user],
        "roles": Role,
        "invitations": invitations.open_ones(team) if team.may_manage else [],
        "links_left": links.left_behind(team) if team.may_edit else [],
        "tokens_left": api_tokens.left_behind(team) if team.may_edit else [],
        "projects": team.projects.order_by(*access.BY_NAME),
    }
    return render(request, "projects/team.html", shown, status=status)
