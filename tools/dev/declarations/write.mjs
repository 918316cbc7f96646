// Makes the declarations of a build independent of zod, and keeps those that an entry of the package leads to:
// `node tools/dev/declarations/write.mjs [<folder>]`.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve, sep } from "node:path";

const folder = process.argv[2] ?? "dist";
const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".d.ts"),
);
/** @type {{ types: string, exports: Record<string, string | { types: string }> }} */
const { exports: entries } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8"),
);
const reached = new Set(
  Object.values(entries).flatMap((entry) =>
    typeof entry === "string" ? [] : [resolve(folder, relative("dist", entry.types))],
  ),
);
// A set goes on with what is added to it.
for (const path of reached) {
  const text = readFileSync(path, "utf8");
  const up = relative(dirname(path), folder).split(sep).join(posix.sep) || ".";
  const changed = text.replace(
    /(from |import\()"zod(?:\/v4\/core)?"/g,
    (_, before) => `${before}"${up}/zod.js"`,
  );
  if (changed !== text) writeFileSync(path, changed);
  for (const [, target = ""] of text.matchAll(/(?:from |import\(|^import )"(\.[^"]+)\.js"/gm))
    reached.add(resolve(dirname(path), `${target}.d.ts`));
}
for (const name of names) if (!reached.has(resolve(folder, name))) rmSync(join(folder, name));
copyFileSync(join(import.meta.dirname, "zod.d.ts"), join(folder, "zod.d.ts"));
