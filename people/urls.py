from django.urls import path

from people.views import account, administration, auth

urlpatterns = [
    path("", administration.people, name="people"),
    path("sign-in/", auth.sign_in, name="sign-in"),
    path("sign-out/", auth.sign_out, name="sign-out"),
    path("invitation/<str:token>", auth.invitation, name="invitation"),
    path("may-publish/", auth.may_publish, name="may-publish"),
    path("me/", account.me, name="me"),
    path("me/password/", account.password, name="own-password"),
    path("me/code/", account.second_step, name="own-code"),
    path("me/sessions/", account.end_sessions, name="end-sessions"),
    path("<int:number>/", administration.change, name="change-person"),
    path("invitations/<int:number>/", administration.withdraw, name="withdraw-invitation"),
]
