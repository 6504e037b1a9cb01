// On the page of a single number: put the cited sentences in place.

import { fillAll } from "./why.js";

fillAll(document);
