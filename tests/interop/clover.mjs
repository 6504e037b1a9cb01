// Clover's own web component is built with two names mixed up and breaks on notes, so its viewer is bundled here.
import {createElement} from "react";
import {createRoot} from "react-dom/client";
import Viewer from "@samvera/clover-iiif/viewer";

const asked = JSON.parse(decodeURIComponent(location.hash.slice(1)));
createRoot(document.getElementById("v")).render(createElement(Viewer, asked));
