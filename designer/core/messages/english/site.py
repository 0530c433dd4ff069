"""Messages about accounts, teams, reviews and comments, and about what is too often or too much."""

TEMPLATES = {
    # Accounts and teams.
    "address-taken": "This address already belongs to another account.",
    "confirmed-address-needed": "Accounts here need a confirmed address at another domain.",
    "account-has-other-sign-on": (
        "The account with your address is linked to another sign-on. If it is yours, or the address was somebody "
        "else's before, ask whoever runs this site to correct that."
    ),
    "account-closed": "This account is closed.",
    "only-owner-of": "You are the only owner of {teams:joined}. Make somebody else an owner first.",
    "no-longer-in-team": "They are no longer in this team.",
    "team-needs-owner": "A team always has an owner. Make somebody else an owner first.",
    "design-moved-meanwhile": "{design} was moved in the meantime.",
    "invited-enough-today": "You have invited {most} people today. Invite others with a link.",
    "address-invited-too-often": (
        "This address was invited too often in the last hour. Wait, or create a link."
    ),
    "invitations-at-limit": (
        "{most} {most:invitation is|invitations are} open. Withdraw {most:it, if nobody needs it|those that nobody "
        "needs}."
    ),
    "invitation-void": "This invitation is no longer valid.",
    # Rights.
    "role-too-low": (
        "Your role in this team does not allow that. An owner of the team can give you another one."
    ),
    "project-archived": "This project is archived. An owner of its team can restore it.",
    "rules-looser": (
        "The rules for reviews are looser in {there} than in {here}. An owner of the team can move the design."
    ),
    "token-needs-owner": "Only an owner of the team can create a token for a whole project.",
    "revoking-needs-owner": "Only an owner of the team can revoke a token for a whole project.",
    "revoking-needs-editor": "Only people who may edit the design can revoke its links and tokens.",
    # Revisions and documents.
    "no-such-revision": "There is no such revision.",
    "revision-called-so": "r{number} is already called {name}.",
    "name-of-revision": "r{number} is already called {name}. Names cannot be changed.",
    "design-file-needed": "Choose a file: a design as YAML or JSON.",
    "document-too-heavy": "{name} took more time or memory to read than one document may take.",
    # Comments and reviews.
    "subject-of-comment-gone": "What you are commenting on is no longer in this design.",
    "design-full-of-comments": (
        "This design has reached its limit of comments. Continue in a copy of the design."
    ),
    "design-full-of-verdicts": (
        "This design has reached its limit of verdicts. Continue in a copy of the design."
    ),
    "link-full-of-comments": (
        "This link has reached its limit of comments. Ask the team for a new one."
    ),
    "too-many-comments": "There were too many comments at once. Try again in ten minutes.",
    "comments-closed": "Comments on this design are closed.",
    "comment-empty": "Write what you want to say.",
    "characters-at-most": "Write at most {most:,} characters.",
    "links-at-most": "Write at most {most} links.",
    "table-too-large": "Use a smaller table.",
    "review-already-open": "A review of this design is already open.",
    "review-closed": "This review was closed in the meantime.",
    "review-moved": "The review now covers r{number}. Look at it, then give your verdict.",
    "verdict-empty": "Write what you think, or comment on a part first.",
    "approves-own-work": (
        "You wrote part of the design under review, and in this project nobody may approve their own work."
    ),
    "threads-block-approval": "The project's rules allow no approval while threads are unresolved.",
    # Proofs.
    "proofs-of-team": (
        "{most} proofs of your team's designs are already waiting or running. Ask for this one when another has ended."
    ),
    "proofs-of-visitor": (
        "{most} of your proofs are already waiting or running. Ask for this one when another has ended."
    ),
    "proofs-of-visitors": (
        "{most} of the visitors' proofs are already waiting or running. Ask for this one when another has ended."
    ),
    # Too often.
    "too-many-changes": "Too many changes came from your network. Try again in {wait}.",
    "too-many-passwords": "Too many passwords were tried from your network. Try again in {wait}.",
    "too-many-sign-ins": "Too many sign-ins were started from your network. Try again in {wait}.",
    "too-many-accounts": (
        "Too many accounts and e-mails were requested from your network. Try again in {wait}."
    ),
    "too-many-copies": (
        "Too many copies of designs were made from your network. Try again in {wait}."
    ),
    "too-much-saved": (
        "You have saved as much within an hour as one person may on this site. Try again in {wait}."
    ),
    "network-too-busy": "Too many requests from your network. Try again in {wait}.",
    "wait-seconds": "{seconds} {seconds:second|seconds}",
    "wait-minutes": "{minutes} {minutes:minute|minutes}",
    "design-is-newer": (
        "This design was saved by a newer version of this site, and the part that answers you is still being upgraded. "
        "Try again in a few seconds."
    ),
    "site-busy": "The site is busy. Try again in a few seconds.",
    "busy-with-documents": (
        "The site is busy with other large documents. Try again in a few seconds."
    ),
    # Too much.
    "sandboxes-at-limit": (
        "You have {most:,} {most:design|designs} here without an account, which is the limit. {most:Sign up to "
        "keep it, or continue in it; it is|Sign up to keep them, or continue in one of them; each is} removed a day "
        "after it was created."
    ),
    "no-room-for-visitors": (
        "Visitors' designs use all the space that this site has for them. Sign in to keep this one, or try again in an "
        "hour, when older ones are removed."
    ),
    "no-room-for-growth": (
        "Visitors' designs use all the space that this site has for them, and this one would be much larger than it "
        "was at first. Sign in and keep it, or try again in an hour, when older ones are removed."
    ),
    "links-at-limit": (
        "{most:,} {most:link opens|links open} this design, which is the limit. Revoke {most:it, if nobody needs "
        "it|those that nobody needs}."
    ),
    "tokens-at-limit": (
        "{most:,} {most:token opens|tokens open} designs of this project, which is the limit. Revoke {most:it, if "
        "nobody needs it|those that nobody needs}."
    ),
    "teams-at-limit": (
        "You own {most:,} {most:team|teams}, which is the limit. {most:Remove it|Remove one that you do not need}, or "
        "make somebody else its owner."
    ),
    "projects-at-limit": (
        "This team has {most:,} projects, which is the limit. Use an existing one, or create another team."
    ),
    "members-at-limit": (
        "This team has {most:,} {most:member|members}, which is the limit. Ask an owner to make room."
    ),
    "owner-has-no-room": (
        "The designs in all teams of this team's owner take {megabytes:,} MB with their histories, which is the limit. "
        "Remove designs that nobody needs, or ask whoever runs this site for more space."
    ),
    "team-has-no-room": (
        "The designs of this team take {megabytes:,} MB with their histories, which is the limit. Remove designs that "
        "nobody needs, or ask whoever runs this site for more space."
    ),
}
