import { community } from "./community.js";
import { learning } from "./learning.js";
import type { Examples } from "./scene.js";
import { selling } from "./selling.js";
import { teaching } from "./teaching.js";

/** A successful request of every route. */
export const everyRoute: Examples = { ...learning, ...community, ...selling, ...teaching };
