// dist/, compiled from src/ when src/ has changed.
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { checkout, leftovers, projectNode } from "../checkout.mjs";
import { mustRun, onInterrupt } from "../child.mjs";
import { step } from "../steps.mjs";

const output = join(checkout, "dist");
const compiler = join(checkout, "node_modules", "typescript", "bin", "tsc");
/** Outside dist/, so that it is never packed. */
const stampFile = join(leftovers, "build.stamp");

/** Compiles the package unless dist/ was built from these very sources. */
export async function build() {
  const stamp = stampOf(sources());
  if (existsSync(output) && readStamp() === stamp) return;
  // Beside dist/ and swapped in at the end: a failed or interrupted compilation leaves the last good one, and no file
  // that is gone from src/ lives on. At the same depth, so that source maps keep their paths.
  const next = join(checkout, `dist.${process.pid}.next`);
  const discard = () => rmSync(next, { recursive: true, force: true });
  const uninterrupted = onInterrupt(discard);
  try {
    await step("Compiling", () =>
      mustRun("Compiling", projectNode(), [compiler, "-p", "tsconfig.build.json", "--outDir", next], {
        cwd: checkout,
      }),
    );
    // npm makes commands executable where it installs them; in a checkout, and where one is linked, nothing else does.
    chmodSync(join(next, "cli", "main.js"), 0o755);
    rmSync(output, { recursive: true, force: true });
    renameSync(next, output);
  } finally {
    discard();
    uninterrupted();
  }
  mkdirSync(leftovers, { recursive: true });
  writeFileSync(stampFile, stamp);
}

function sources() {
  const found = readdirSync(join(checkout, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return [
    ...found,
    ...["tsconfig.json", "tsconfig.build.json", "package-lock.json"].map((file) => join(checkout, file)),
  ];
}

/** @param {string[]} files */
function stampOf(files) {
  const hash = createHash("sha256");
  for (const file of files.sort()) {
    hash.update(`${relative(checkout, file)}\0${statSync(file).size}\0`).update(readFileSync(file));
  }
  return hash.digest("hex");
}

function readStamp() {
  try {
    return readFileSync(stampFile, "utf8");
  } catch {
    return undefined;
  }
}
