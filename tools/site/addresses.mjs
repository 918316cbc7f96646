// Asks for every page of others to which a message, the schema or a document leads: `npm run docs -- addresses`.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkout } from "../dev/checkout.mjs";
import { runMain } from "../dev/command.mjs";

/** What prints addresses: sources, whose comments show in editors, the schema, and documents. */
const PRINTING = ["src/**/*.ts", "plugin/schema.json", "*.md", "{docs,examples,tools/release}/**/*.md"];

/** Addresses that nobody reads: of services, of examples, and with a part that only a run knows. */
const NO_PAGE =
  /^https?:\/\/(?:(?:api|agent)\.buildkite\.com|api\.github\.com|www\.w3\.org\/2000\/svg|localhost|127\.0\.0\.1|(?:\w+:\w+@)?proxy:|[^/]*\bexample\b)|[${}…]/;

/** Lists the addresses of pages that this checkout prints. */
export function addresses() {
  const files = globSync(PRINTING, { cwd: checkout, exclude: ["**/node_modules/**"] });
  const text = files.map((file) => readFileSync(join(checkout, file), "utf8")).join("\n");
  const all = text.match(/https?:\/\/[^\s"'`<>()[\]\\|]+/g) ?? [];
  const pages = all
    .map((address) => address.replace(/[.,;:]+$/, ""))
    .filter((address) => !NO_PAGE.test(address));
  return [...new Set(pages)].sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    for (const address of addresses()) {
      const said = await fetch(address, { signal: AbortSignal.timeout(20_000) }).then(
        ({ status }) => status,
        (error) => error.cause?.code ?? error.name,
      );
      console.log(`${said}  ${address}`);
      if (said !== 200) process.exitCode = 1;
    }
  });
}
