import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { PROVIDED_VERSION } from "../../tools/pulumi-cli/release.mjs";
import { writeCommand } from "../commands-on-path.js";

const CHECKOUT = join(__dirname, "..", "..");

let directory: string;
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("a copy of examples/gitops installs by the commands of docs/gitops.md, and its jobs by ci/install.sh", () => {
  directory = mkdtempSync(join(tmpdir(), "gitops-copy-"));
  const copy = join(directory, "copy");
  cpSync(join(CHECKOUT, "examples", "gitops"), copy, {
    recursive: true,
    filter: (source) => !source.includes("node_modules"),
  });
  const bin = join(directory, "bin");
  // The CLI is there already.
  writeCommand(bin, "pulumi", `echo v${PROVIDED_VERSION}`);
  const node = join(process.execPath, "..");
  const shell = (command: string) =>
    execFileSync("bash", ["-euc", command], {
      cwd: copy,
      env: { ...process.env, PATH: `${bin}:${node}:${process.env.PATH}` },
      stdio: ["ignore", "pipe", "pipe"],
    });

  const documented = readFileSync(join(CHECKOUT, "docs", "gitops.md"), "utf8");
  const [, commands = ""] = /```sh\n( *npm pack [\s\S]*?)```/.exec(documented) ?? [];
  expect(commands).toContain("npm install");
  shell("git init --quiet");
  // What prepares a release needs the checkout's tools; it is built already.
  shell(commands.replace("npm pack ../pulumi-buildpipeline", `npm pack --ignore-scripts '${CHECKOUT}'`));
  rmSync(join(copy, "node_modules"), { recursive: true });
  shell("ci/install.sh");
  expect(existsSync(join(copy, "node_modules", ".bin", "buildpipeline"))).toBe(true);
});
