"""The gate in front of every page of a workspace: outsiders get 404, members without the permission 403.

A view says what it needs, ``@workspace_page("read", post="edit")``, and receives a request that knows the membership.
What it says is kept as ``view.permissions``, from which the tests make the page matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseNotAllowed

from accounts.models import Membership, User, Workspace
from accounts.permissions import PERMISSIONS, allows

View = Callable[..., HttpResponseBase]


class WorkspaceRequest(HttpRequest):
    """A member's request."""

    user: User
    membership: Membership
    workspace: Workspace


def may(request: WorkspaceRequest, permission: str) -> bool:
    """Whether the member who asks holds a permission."""
    return allows(request.membership.role, permission)


def membership_of(user: Any, workspace: str) -> Membership:
    """The user's membership in the workspace of this address. Raises Http404 when there is none."""
    members = Membership.objects.select_related("workspace").filter(workspace__slug=workspace, user=user)
    membership = members.first()
    if membership is None:
        raise Http404
    return membership


def let_in(request: Any, workspace: str, permissions: dict[str, str]) -> HttpResponseBase | None:
    """Put membership and workspace on the request. A response when the method is not answered here.

    Raises Http404 for outsiders, PermissionDenied for members who may not.
    """
    membership = membership_of(request.user, workspace)
    permission = permissions.get("GET" if request.method == "HEAD" else request.method)
    if permission is None:
        return HttpResponseNotAllowed(list(permissions))
    if not allows(membership.role, permission):
        raise PermissionDenied
    request.membership, request.workspace = membership, membership.workspace
    return None


def methods(get: str | None, post: str | None) -> dict[str, str]:
    """The permission of each method that is answered. Raises KeyError for a permission there is not."""
    named = {name: permission for name, permission in (("GET", get), ("POST", post)) if permission is not None}
    for permission in named.values():
        PERMISSIONS[permission]
    return named


def workspace_page(get: str | None = None, *, post: str | None = None) -> Callable[[View], View]:
    """A page at ``w/<workspace>/…``: who may get it, and who may post to it.

    The view is called without ``workspace``.
    """
    permissions = methods(get, post)

    def decorate(view: View) -> View:
        @wraps(view)
        def gate(request: HttpRequest, *, workspace: str, **arguments: Any) -> HttpResponseBase:
            return let_in(request, workspace, permissions) or view(request, **arguments)

        gate.permissions = permissions  # type: ignore[attr-defined]
        return gate

    return decorate
