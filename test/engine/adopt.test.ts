import { test } from "vitest";
import { SMALL } from "../support/awkward-organization.js";
import { adopts } from "./adopting.js";

test("A small organization, on a service that leaves out, empties and rewrites, is imported by reads, and then nothing changes", async () => {
  await adopts(SMALL);
});
