import { vi } from "vitest";
import { LARGE } from "../support/awkward-organization.js";
import { adopts, UNTIDY } from "./adopting.js";

vi.setConfig({ testTimeout: 900_000 });

adopts("An organization of 595 resources, on a service that leaves out, empties and rewrites", {
  sizes: LARGE,
  variations: UNTIDY,
  prints: true,
});
adopts("An organization of 595 resources, on a tidy service, by the plugin", {
  sizes: LARGE,
  variations: {},
  flags: "--native",
  prints: true,
});
