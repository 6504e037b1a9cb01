import pytest


@pytest.mark.django_db
def test_health_says_that_database_and_storage_are_well(client):
    answer = client.get("/health")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "database": "ok", "storage": "ok"}


@pytest.mark.django_db
def test_every_answer_carries_the_strict_policy(client):
    for address in ("/", "/health", "/nowhere/"):
        policy = client.get(address).headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
