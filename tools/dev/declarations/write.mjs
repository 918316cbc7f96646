// Makes the declarations of a build independent of zod: `node tools/dev/declarations/write.mjs [<folder>]`.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";

const folder = process.argv[2] ?? "dist";
const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
for (const file of files.filter((name) => name.endsWith(".d.ts") && name !== "zod.d.ts")) {
  const path = join(folder, file);
  const text = readFileSync(path, "utf8");
  const up = relative(dirname(path), folder).split(sep).join(posix.sep) || ".";
  const changed = text.replace(
    /(from |import\()"zod(?:\/v4\/core)?"/g,
    (_, before) => `${before}"${up}/zod.js"`,
  );
  if (changed !== text) writeFileSync(path, changed);
}
copyFileSync(join(import.meta.dirname, "zod.d.ts"), join(folder, "zod.d.ts"));
