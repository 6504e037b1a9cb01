from django.urls import path

from people.views import account as own
from people.views import administration as keeping
from people.views import auth as entering

urlpatterns = [
    path("", keeping.people, name="people"),
    path("sign-in/", entering.sign_in, name="sign-in"),
    path("sign-out/", entering.sign_out, name="sign-out"),
    path("invitation/<str:token>", entering.invitation, name="invitation"),
    path("me/", own.me, name="me"),
    path("me/password/", own.password, name="own-password"),
    path("me/code/", own.code, name="own-code"),
    path("me/sessions/", own.end_sessions, name="end-sessions"),
    path("<int:number>/", keeping.change, name="change-person"),
    path("invitations/<int:number>/", keeping.withdraw, name="withdraw-invitation"),
]
