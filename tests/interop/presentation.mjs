// Reads manifests and a collection from the standard input as JSON, lets @iiif/parser judge each, prints the faults.
import {readFileSync} from "node:fs";
import {normalize, serialize, serializeConfigPresentation3} from "@iiif/parser";
import {presentation3StrictUpgrade} from "@iiif/parser/strict";

const faults = [];
for (const document of JSON.parse(readFileSync(0, "utf8"))) {
  const fault = (sentence) => faults.push(`${document.id}: ${sentence}`);
  const read = normalize(structuredClone(document));
  if (read.resource.id !== document.id) fault("was read as something else");
  const kinds = {Manifest: ["Canvas", "Annotation", "Range"], Collection: ["Manifest"]}[document.type] ?? [];
  for (const kind of kinds) {
    if (!Object.keys(read.entities[kind] ?? {}).length) fault(`has no ${kind} the parser could find`);
  }
  if (document.type === "Manifest") {
    const told = {warnings: []};
    presentation3StrictUpgrade(structuredClone(document), told);
    told.warnings.forEach(fault);
    const back = serialize(
      {entities: read.entities, mapping: read.mapping, requests: {}}, read.resource, serializeConfigPresentation3);
    if (back.items.length !== document.items.length) fault("lost canvases on the way through the parser");
  }
}
console.log(JSON.stringify(faults));
