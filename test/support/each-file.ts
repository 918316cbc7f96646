import { afterAll } from "vitest";
import { endAll } from "../engine/ending.js";

// Vitest runs this for each file, also where files share a process and so their modules.
afterAll(endAll);
