"""Accounts, teams, projects, and one's designs."""

from django.urls import URLPattern, URLResolver, include, path

from projects.views import (
    accounts,
    activity,
    designs,
    invitations,
    notices,
    passwords,
    profile,
    projects,
    single_sign_on,
    teams,
)

of_a_team = [
    path("", teams.team, name="team"),
    path("remove/", teams.remove, name="team-remove"),
    path("leave/", teams.leave, name="team-leave"),
    path("members/<int:number>/role/", teams.role, name="member-role"),
    path("members/<int:number>/hand-over/", teams.hand_over, name="member-hand-over"),
    path("members/<int:number>/remove/", teams.remove_member, name="member-remove"),
    path("invitations/letter/", teams.invite, name="invite"),
    path("invitations/link/", teams.link, name="invite-by-link"),
    path("invitations/<int:number>/withdraw/", teams.withdraw, name="invitation-withdraw"),
    path("projects/new/", teams.new_project, name="project-new"),
]
of_a_project = [
    path("", projects.project, name="project"),
    path("archive/", projects.archive, name="project-archive"),
    path("restore/", projects.restore, name="project-restore"),
    path("remove/", projects.remove, name="project-remove"),
    path("activity/", activity.page, name="activity"),
    path("activity/feed/", activity.begin_feed, name="feed-begin"),
    path("activity/feed/end/", activity.end_feed, name="feed-end"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("sign-up/", accounts.sign_up, name="sign-up"),
    path("sign-up/<str:token>/", accounts.finish, name="sign-up-finish"),
    path("sign-in/", accounts.sign_in, name="sign-in"),
    path("sign-out/", accounts.sign_out, name="sign-out"),
    path("sso/", single_sign_on.start, name="single-sign-on"),
    path("sso/back/", single_sign_on.back, name="single-sign-on-back"),
    path("password/forgotten/", passwords.forgotten, name="password-forgotten"),
    path("password/<uidb64>/<token>/", passwords.new_password, name="password-new"),
    path("account/", profile.profile, name="profile"),
    path("account/email/", profile.address, name="address"),
    path("account/email/<str:token>/", profile.confirm, name="address-confirm"),
    path("account/sessions/end/", profile.end_other_sessions, name="sessions-end"),
    path("account/sessions/<int:number>/end/", profile.end_session, name="session-end"),
    path("account/remove/", profile.remove, name="account-remove"),
    path("account/password/", profile.password, name="password"),
    path("account/data/", profile.data, name="account-data"),
    path("feeds/<str:token>.atom", activity.feed, name="feed"),
    path("notices/", notices.notices, name="notices"),
    path("designs/", designs.designs, name="designs"),
    path("designs/new/", designs.new, name="design-new"),
    path("designs/seen/", designs.seen, name="waiting-seen"),
    path("designs/upload/", designs.upload, name="design-upload"),
    path("designs/<slug:slug>/duplicate/", designs.duplicate, name="design-duplicate"),
    path("designs/<slug:slug>/move/", designs.move, name="design-move"),
    path("designs/<slug:slug>/remove/", designs.remove, name="design-remove"),
    path("teams/new/", teams.new, name="team-new"),
    path("teams/<slug:slug>/", include(of_a_team)),
    path("projects/<slug:slug>/", include(of_a_project)),
    path("join/", invitations.join, name="join"),
    path("join/accept/", invitations.accept, name="join-accept"),
    path("join/<str:token>/", invitations.invitation, name="invitation"),
]
