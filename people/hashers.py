"""Password hasher: Argon2id with 19 MiB and two passes, as OWASP asks; ten at once fit a small machine."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    time_cost = 2
    memory_cost = 19_456
    parallelism = 1
