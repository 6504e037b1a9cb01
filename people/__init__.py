"""Accounts of the people who edit the archive.

`authentication` sign-in, `totp` second step, `invitations` links that make accounts, `administration` what
keepers change, `roles` who may do what, `permissions` the guard of views, `sessions` devices signed in,
`audit_log` what happened to accounts, `forms` and `validators` what people write, `limits` and `hashers`.
"""
