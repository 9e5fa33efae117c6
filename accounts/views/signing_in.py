"""Signing in, out and up."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.services.throttling import is_throttled, note_failure
from accounts.services.workspaces import create_workspace


class SignInForm(AuthenticationForm):
    """Name and password; refused for a while after too many failures."""

    def clean(self) -> dict[str, object]:
        """Check the throttle before the password. Raises ValidationError."""
        username = self.cleaned_data.get("username") or ""
        address = self.request.META.get("REMOTE_ADDR", "") if self.request else ""
        if is_throttled(username=username, address=address):
            self.add_error(None, _("Too many failed sign-ins. Wait a quarter of an hour and try again."))
            return self.cleaned_data
        try:
            return super().clean()
        except Exception:
            note_failure(username=username, address=address)
            raise


class SignUpForm(BaseUserCreationForm):  # type: ignore[type-arg]
    """Name and password, twice."""

    class Meta:
        model = User
        fields = ("username", "email")


class SignIn(LoginView):
    """The sign-in page."""

    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True
    extra_context = {"sign_up_open": settings.SIGN_UP_OPEN}


@login_not_required
def sign_up(request: HttpRequest) -> HttpResponse:
    """Make a user with a workspace of their own, where sign-up is open."""
    if not settings.SIGN_UP_OPEN:
        raise Http404
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = form.save()
        create_workspace(name=str(_("{name}'s workspace")).format(name=user), owner=user)
        login(request, user)
        return redirect("start")
    return render(request, "accounts/sign_up.html", {"form": form}, status=422 if form.errors else 200)


urlpatterns = [
    path("sign-in/", SignIn.as_view(), name="sign_in"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
    path("sign-up/", sign_up, name="sign_up"),
]
