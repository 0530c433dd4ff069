"""Messages about what a person has just done, as the next page says it."""

TEMPLATES = {
    "went-back": "The design is as it was in r{old}; this revision is r{new}.",
    "review-opened": "The review is open.",
    "review-covers": "The review now covers r{number}.",
    "review-was-closed": "The review was closed. Its comments stay.",
    "rules-saved": "The rules now apply to every design of the project.",
    "design-kept": "{design} is now yours.",
    "revision-named": "r{number} is now called “{name}”.",
    "link-sent": "An e-mail to {address} is on its way. Open the link in it.",
    "joined": "You have joined {team}.",
    "team-needs-name": "Give the team a name, in one line.",
    "was-removed": "{name} was removed.",
    "team-left": "You are no longer in {team}.",
    "invitation-withdrawn": "The invitation was withdrawn.",
    "choice-saved": "Your choice was saved.",
    "feed-ended": "The address of your feed no longer works.",
    "joined-as": "You have joined {team} as {role:a}.",
    "design-created": "{name} was created.",
    "project-was-archived": "{project} was archived. Its designs can be read but not changed.",
    "project-restored": "{project} was restored.",
    "project-removed": "{project} was removed, with its designs.",
    "name-changed": "Your name is now {name}.",
    "address-confirmed": "{address} is now your address.",
    "password-changed": "You have a new password. Other browsers are signed out.",
    "browser-signed-out": "That browser was signed out.",
    "signed-in-only-here": "You are now signed in only here.",
    "account-removed": "Your account was removed.",
    "choose-again-after-planning": (
        "The design was changed, and its new plan is being calculated. Choose again when it is ready."
    ),
    "has-role": "{name} is now {role:a}.",
    "team-handed-over": "{name} is now an owner, and you are an editor.",
    "member-removed": "{name} is no longer in this team.",
    "letter-sent": "An e-mail to {address} is on its way.",
    "invitations-ended": (
        "Open invitations have ended. Send new ones to people who should still join."
    ),
    "design-moved": "{design} is now in {project}.",
    "former-links-ended": "Links and tokens of its former team no longer open it.",
    "all-done": "{sentences:text}",
}
