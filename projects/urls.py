"""Accounts and one's designs."""

from django.urls import path

from projects.views import accounts, designs

urlpatterns = [
    path("sign-up/", accounts.sign_up, name="sign-up"),
    path("sign-in/", accounts.sign_in, name="sign-in"),
    path("sign-out/", accounts.sign_out, name="sign-out"),
    path("designs/", designs.designs, name="designs"),
    path("designs/new/", designs.new, name="design-new"),
    path("designs/upload/", designs.upload, name="design-upload"),
    path("designs/<slug:slug>/remove/", designs.remove, name="design-remove"),
]
