import { test } from "vitest";
import { LARGE } from "../support/awkward-organization.js";
import { adopts } from "./adopting.js";

test.each([
  ["on a service that leaves out, empties and rewrites", ""],
  ["on a tidy service, by the plugin", "--native"],
])(
  "An organization of awkward names and of forty pipelines, %s, is imported by reads, and then nothing changes",
  async (_, flags) => {
    console.log(await adopts(LARGE, flags));
  },
);
