from django.urls import path

from people.views import account, administration, auth, passkeys, second_step

urlpatterns = [
    path("", administration.people, name="people"),
    path("sign-in/", auth.sign_in, name="sign-in"),
    path("sign-in/step/", auth.step, name="sign-in-step"),
    path("sign-in/passkey/", auth.passkey, name="sign-in-passkey"),
    path("passkey-question/", passkeys.question, name="passkey-question"),
    path("sign-out/", auth.sign_out, name="sign-out"),
    path("invitation/<str:token>", auth.invitation, name="invitation"),
    path("may-publish/", auth.may_publish, name="may-publish"),
    path("me/", account.me, name="me"),
    path("me/password/", account.password, name="own-password"),
    path("me/code/", second_step.app, name="own-code"),
    path("me/recovery-codes/", second_step.recovery, name="own-recovery-codes"),
    path("me/passkeys/", passkeys.add, name="add-passkey"),
    path("me/passkeys/question/", passkeys.new_question, name="new-passkey-question"),
    path("me/passkeys/<int:number>/", passkeys.change, name="change-passkey"),
    path("me/sessions/", account.end_sessions, name="end-sessions"),
    path("<int:number>/", administration.change, name="change-person"),
    path("invitations/<int:number>/", administration.withdraw, name="withdraw-invitation"),
]
