import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../dev/checkout.mjs";

/** The version that package.json names. @type {string} */
export const version = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")).version;
