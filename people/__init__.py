"""Accounts of the people who edit the archive.

authentication  sign-in; sessions: devices that are signed in
second_step     the second step of sign-in: totp, passkeys, recovery_codes
invitations     links that make accounts or give new passwords
administration  what administrators change
roles           who may do what; permissions: the guard of views
audit_log       what happened to accounts
lookalikes      names that look like another; name_check: the same, asked of a whole site
forms           what people write; validators: its rules
limits          limits and rate limits; hashers: how passwords are stored
"""
