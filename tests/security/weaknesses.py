"""`make bandit`: bandit looks through our own code, and everything it finds is answered where it stands.

An answer is ruff's mark of the same number with its reason, `# noqa: S308 - every piece was escaped`: both
tools look for the same weaknesses, and one mark with one reason is enough for both.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("config", "archive", "people", "scorepad", "engine", "lab", "ratelimit", "home", "ops", "phone")

# What is not asked, and why.
LEFT_OUT = {
    "B101": "an assert states what cannot be otherwise; nothing a request says is judged by one",
    "B105": "ruff's S105 looks for passwords in the code with fewer false alarms",
    "B106": "the same, S106",
    "B107": "the same, S107",
    "B404": "that subprocess is imported says nothing; how it is called is asked by B602 and B605 to B607",
    "B405": "ElementTree writes our feeds and TEI; reading with it is asked by B314",
    "B603": "a call without a shell is what it should be; a call with one is B602",
}
SAME = {"B703": "S308"}
ANSWER = re.compile(r"#\s*noqa:\s*(?P<numbers>S\d+(?:,\s*S\d+)*)\s+-\s+\S")


def found(folders: tuple[str, ...] = PACKAGES, root: Path = ROOT) -> list[dict]:
    """Everything bandit has to say, answered or not."""
    asked = [str(root / folder) for folder in folders]
    run = subprocess.run(
        [sys.executable, "-m", "bandit", "-q", "-r", *asked, "-s", ",".join(LEFT_OUT), "-f", "json"],
        capture_output=True,
        text=True,
    )
    report = json.loads(run.stdout)
    assert not report["errors"], report["errors"]
    return report["results"]


def is_answered(weakness: dict) -> bool:
    number = SAME.get(weakness["test_id"], "S" + weakness["test_id"][1:])
    lines = Path(weakness["filename"]).read_text().split("\n")
    answers = [ANSWER.search(lines[line - 1]) for line in weakness["line_range"]]
    return any(answer and number in re.split(r",\s*", answer["numbers"]) for answer in answers)


def main() -> int:
    weaknesses = found()
    left = [weakness for weakness in weaknesses if not is_answered(weakness)]
    for weakness in left:
        where = f"{Path(weakness['filename']).relative_to(ROOT)}:{weakness['line_number']}"
        print(f"{where}: {weakness['test_id']} {weakness['issue_text']}")
    print(f"bandit: {len(left)} unanswered, {len(weaknesses) - len(left)} answered where they stand.")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
