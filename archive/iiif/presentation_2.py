"""IIIF Presentation 2, for viewers that still want it: the documents of version 3 in the older words.

There is one builder, `presentation`; this turns what it made. Canvases keep their names, so that one search
and one set of targets serve both versions; manifests and lists of annotations have addresses of their own.
"""

from __future__ import annotations

from typing import Any

from archive.responses import JsonObject

PRESENTATION_2 = "http://iiif.io/api/presentation/2/context.json"
IMAGE_3 = "http://iiif.io/api/image/3/context.json"


def address_2(address: str) -> str:
    """The address of the same document in version 2."""
    return address.replace("/iiif/3/", "/iiif/2/", 1)


def collection(document: JsonObject) -> JsonObject:
    head = _head(document, "sc:Collection", document["requiredStatement"]["value"])
    return head | {
        "manifests": [
            {"@id": address_2(item["id"]), "@type": "sc:Manifest", "label": _words(item["label"])}
            | _thumbnail(item)
            for item in document["items"]
        ]
    }


def manifest(document: JsonObject) -> JsonObject:
    head = _head(document, "sc:Manifest", document["requiredStatement"]["value"])
    head |= {
        "metadata": [_pair(pair) for pair in document["metadata"]],
        "license": document["rights"],
        "rendering": [_link(link) for link in document["rendering"]],
        "viewingHint": "individuals",
        "within": address_2(document["partOf"][0]["id"]),
        "service": [service for service in document["service"] if "@id" in service],
    }
    head |= _thumbnail(document)
    if "navDate" in document:
        head["navDate"] = document["navDate"]
    canvases = [canvas(item) for item in document["items"]]
    sequence = {"@id": f"{head['@id']}#sequence", "@type": "sc:Sequence", "canvases": canvases}
    return head | {
        "sequences": [sequence],
        "structures": [
            {
                "@id": one["id"],
                "@type": "sc:Range",
                "label": _words(one["label"]),
                "canvases": [canvas["id"] for canvas in one["items"]],
            }
            for contents in document["structures"]
            for one in contents["items"]
        ],
    }


def canvas(item: JsonObject) -> JsonObject:
    painted = item["items"][0]["items"][0]
    shown: JsonObject = {
        "@id": item["id"],
        "@type": "sc:Canvas",
        "label": _words(item["label"]),
        "width": item["width"],
        "height": item["height"],
        "metadata": [_pair(pair) for pair in item["metadata"]],
        "images": [
            {
                "@id": address_2(painted["id"]),
                "@type": "oa:Annotation",
                "motivation": "sc:painting",
                "resource": _image(painted["body"]),
                "on": item["id"],
            }
        ],
        "otherContent": [
            {"@id": address_2(page["id"]), "@type": "sc:AnnotationList", "label": _words(page["label"])}
            for page in item["annotations"]
        ],
        "seeAlso": [_link(link) for link in item["seeAlso"]],
    }
    if "requiredStatement" in item:
        shown["attribution"] = _words(item["requiredStatement"]["value"])
    if "rights" in item:
        shown["license"] = item["rights"]
    return shown | _thumbnail(item)


def annotation_list(page: JsonObject) -> JsonObject:
    """A page of annotations: rows of type as the text that is painted, notes as comments."""
    motives = {"supplementing": "sc:painting", "commenting": "oa:commenting"}
    return {
        "@context": PRESENTATION_2,
        "@id": address_2(page["id"]),
        "@type": "sc:AnnotationList",
        "resources": [
            {
                "@id": address_2(item["id"]),
                "@type": "oa:Annotation",
                "motivation": motives[item["motivation"]],
                "resource": {
                    "@type": "cnt:ContentAsText" if item["motivation"] == "supplementing" else "dctypes:Text",
                    "format": item["body"]["format"],
                    "language": item["body"]["language"],
                    "chars": item["body"]["value"],
                },
                "on": item["target"],
            }
            for item in page["items"]
        ],
    }


def _head(document: JsonObject, kind: str, statement: JsonObject) -> JsonObject:
    return {
        "@context": PRESENTATION_2,
        "@id": address_2(document["id"]),
        "@type": kind,
        "label": _words(document["label"]),
        "description": _words(document["summary"]),
        "attribution": _words(statement),
        "related": [_link(link) for link in document["homepage"]],
        "seeAlso": [_link(link) for link in document["seeAlso"]],
    }


def _words(words: dict[str, list[str]]) -> Any:
    """A language map as version 2 has it: words without a language, one or more."""
    values = [value for some in words.values() for value in some]
    return values[0] if len(values) == 1 else values


def _pair(pair: JsonObject) -> JsonObject:
    return {"label": _words(pair["label"]), "value": _words(pair["value"])}


def _link(link: JsonObject) -> JsonObject:
    told = {"@id": link["id"], "format": link["format"], "label": _words(link["label"])}
    return told | ({"profile": link["profile"]} if "profile" in link else {})


def _image(image: JsonObject) -> JsonObject:
    service = image["service"][0]
    return {
        "@id": image["id"],
        "@type": "dctypes:Image",
        "format": image["format"],
        "width": image["width"],
        "height": image["height"],
        "service": {"@context": IMAGE_3, "@id": service["id"], "profile": service["profile"]},
    }


def _thumbnail(document: JsonObject) -> JsonObject:
    found = document.get("thumbnail") or []
    return {"thumbnail": _image(found[0])} if found else {}
