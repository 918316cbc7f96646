import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the version of this package. */
export function packageVersion(): string {
  const text = readFileSync(join(__dirname, "..", "..", "package.json"), "utf8");
  const description: unknown = JSON.parse(text);
  if (typeof description !== "object" || description === null || !("version" in description))
    return "unknown";
  return String(description.version);
}
