"""Strings that would run in a careless page, made from seeds of many kinds; always the same ones.

Each calls `hit()`, or leaves a mark that a page with the string as plain text does not have: an element with
`data-hit`, an address that begins with a script, or a sum that only a template would work out.
"""

import random

SUM = "62615533"
KINDS = {
    "tag": [
        "<script>hit()</script>",
        "<script data-hit>hit()</script>",
        "<img data-hit src=x onerror=hit()>",
        "<img src=x onerror=hit()>",
        "<b data-hit>x</b>",
        "<video data-hit src=x onerror=hit()>",
        "<iframe data-hit srcdoc='<script>parent.hit()</script>'></iframe>",
        "<details data-hit open ontoggle=hit()>",
        "<body data-hit onload=hit()>",
        "<object data-hit data=x onerror=hit()>",
        "<input data-hit autofocus onfocus=hit()>",
        "<base data-hit href=//x.invalid/>",
        "<form data-hit action=javascript:hit()><button>x</button></form>",
        "<meta data-hit http-equiv=refresh content=9>",
        "<link data-hit rel=stylesheet href=x>",
        "<template data-hit><script>hit()</script></template>",
    ],
    "attribute": [
        '" onerror=hit() src=x data-hit="',
        '" autofocus onfocus=hit() data-hit="',
        "' onmouseover='hit()' data-hit='",
        '"><img data-hit src=x onerror=hit()>',
        "'><img data-hit src=x onerror=hit()>",
        '"/><script>hit()</script>',
        "` onerror=hit() data-hit=`",
        '" style="width:1px" data-hit="',
        "x onload=hit() data-hit",
    ],
    "closer": [
        "</script><script>hit()</script>",
        "</title><script>hit()</script>",
        "</textarea><script>hit()</script>",
        "</style><img data-hit src=x onerror=hit()>",
        "</option></select><img data-hit src=x onerror=hit()>",
        "--><script>hit()</script>",
        "]]><script>hit()</script>",
        "</svg><script>hit()</script>",
        "</noscript><script>hit()</script>",
    ],
    "svg": [
        "<svg data-hit onload=hit()>",
        "<svg><script>hit()</script></svg>",
        "<svg data-hit><animate onbegin=hit() attributeName=x dur=1s>",
        "<svg><a data-hit xlink:href=javascript:hit()><text>x</text></a></svg>",
        "<math data-hit><mtext><img src=x onerror=hit()></mtext></math>",
        "<svg><style><img data-hit src=x onerror=hit()></style></svg>",
    ],
    "address": [
        "javascript:hit()",
        "JaVaScRiPt:hit()",
        "java\tscript:hit()",
        "\x01javascript:hit()",
        "data:text/html,<script>hit()</script>",
        "vbscript:hit()",
        "//x.invalid/hit.js",
        "<a data-hit href=javascript:hit()>x</a>",
    ],
    "markdown": [
        "[x](javascript:hit())",
        "![x](javascript:hit())",
        "[x](<javascript:hit()>)",
        '![x](x "onerror=hit()" data-hit)',
        "[x]: javascript:hit()\n\n[x]",
        "<javascript:hit()>",
        "`<img data-hit src=x onerror=hit()>`",
        "[<img data-hit src=x onerror=hit()>](x)",
        "[x](data:text/html;base64,PHNjcmlwdD5oaXQoKTwvc2NyaXB0Pg==)",
        "<!-- --><img data-hit src=x onerror=hit()>",
    ],
    "template": [
        "{{ 7919 * 7907 }}",
        "{{7919*7907}}",
        "${7919*7907}",
        "#{7919*7907}",
        "{% debug %}",
        "{% load static %}{{ request }}",
        "<%= 7919*7907 %>",
        "{{constructor.constructor('hit()')()}}",
    ],
    "json": [
        '"}</script><script>hit()</script>',
        '\\"};hit();//',
        "\u2028hit()//",
        "';hit();//",
        '");hit();("',
        "*/hit()/*",
        "\\u003cscript\\u003ehit()\\u003c/script\\u003e",
    ],
    "unicode": [
        "＜script＞hit()＜/script＞",
        "<ſcript>hit()</ſcript>",
        "<img\u00a0data-hit src=x onerror=hit()>",
        "\u202e<img data-hit src=x onerror=hit()>",
        "&lt;script&gt;hit()&lt;/script&gt;",
        "&#60;img data-hit src=x onerror=hit()&#62;",
        "%3Cscript%3Ehit()%3C/script%3E",
        "\ufeff<script>hit()</script>",
        "<scr\u200bipt>hit()</scr\u200bipt><img data-hit src=x onerror=hit()>",
    ],
    "css": [
        "x;background:url(javascript:hit())",
        "expression(hit())",
        "</style><script>hit()</script>",
        "@import 'x.css';",
        "<style data-hit>*{color:red}</style>",
        'x" style="animation:x" onanimationstart="hit()" data-hit="',
    ],
    "htmx": [
        "<b data-hit hx-get=/ hx-trigger=load>x</b>",
        "<b data-hit hx-on::load=hit()>x</b>",
        "<b data-hit data-copy data-at onclick=hit()>x</b>",
    ],
}
BEFORE = ["", "x", "Ann ", '"', "'", ">", "&", "<", "-->", "a=b ", "\n", "</p>"]
AFTER = ["", " ", "//", "<!--", '"', "'", ">", "x", "\\", "<x "]
RUN_ALONE = ("tag", "svg", "closer")
"""Kinds of which most strings run in a careless page without being touched: they prove the detector."""


def strings(many: int, length_most: int = 10_000) -> list[str]:
    """So many different strings: the seeds of all kinds in turn, then variations of them."""
    chance = random.Random(1942)
    turns = [seed for row in _in_turn(list(KINDS.values())) for seed in row]
    found = dict.fromkeys(seed for seed in turns if len(seed) <= length_most)
    while len(found) < many:
        seed = chance.choice(turns)
        told = (
            chance.choice(BEFORE)
            + chance.choice([seed, seed, seed.upper(), _mixed(seed, chance)])
            + chance.choice(AFTER)
        )
        if len(told) <= length_most:
            found.setdefault(told)
    return list(found)[:many]


def _in_turn(kinds: list[list[str]]) -> list[list[str]]:
    longest = max(len(seeds) for seeds in kinds)
    return [[seeds[nth] for seeds in kinds if nth < len(seeds)] for nth in range(longest)]


def _mixed(seed: str, chance: random.Random) -> str:
    """The same in other letters and with other spaces, as browsers still read it."""
    letters = [sign.upper() if chance.random() < 0.5 else sign for sign in seed]
    return "".join(letters).replace("HIT()", "hit()").replace(" ", chance.choice([" ", "/", "\t", "\n"]))
