import { readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = join(__dirname, "..", "..", "..");

/** Returns the version of the package, which is the plugin's. */
export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  return version;
}

/** Returns the schema of the package in Pulumi's format: JSON. */
export function packageSchema(): string {
  return readFileSync(join(PACKAGE, "plugin", "schema.json"), "utf8");
}
