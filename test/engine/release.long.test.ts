import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { kinds } from "../../src/provider/for-commands/kinds.js";
import { hostPlatform, NODE_VERSION } from "../../tools/release/platforms.mjs";
import { SBOM } from "../../tools/release/sbom.mjs";
import { CHECKOUT, temporaryFolder } from "./ending.js";
import { deploys } from "./installed.js";
import { missingHost } from "./language-hosts.js";
import { Project } from "./project.js";

const { version: VERSION, repository } = JSON.parse(readFileSync(join(CHECKOUT, "package.json"), "utf8"));
const [, OWNER = ""] = /github\.com\/([^/]+)\//.exec(repository.url) ?? [];
const REPOSITORY = "rehearsing/pulumi-ci";
const GO_MODULE = `github.com/${REPOSITORY}/sdk/go`;

let directory: string;
/** A copy of the checkout, released by another owner from another repository. */
let copy: string;
let out: string;
let printed: string;
beforeAll(() => {
  directory = temporaryFolder("release");
  copy = join(directory, "copy");
  out = join(directory, "release");
  rename();
  printed = release(out);
});

function release(to: string, environment: NodeJS.ProcessEnv = {}): string {
  const args = ["--out", to, "--platform", hostPlatform()?.name ?? ""];
  return runTool("release/release.mjs", args, environment);
}

/** Copies the checkout, and runs the command there that writes the owner and the repository. */
function rename(): void {
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: CHECKOUT, encoding: "utf8" });
  const files = tracked.split("\0").filter((file) => file !== "" && existsSync(join(CHECKOUT, file)));
  for (const file of files) cpSync(join(CHECKOUT, file), join(copy, file));
  execFileSync("git", ["init", "--quiet"], { cwd: copy });
  execFileSync("git", ["add", "--all"], { cwd: copy });
  cpSync(join(CHECKOUT, "dist"), join(copy, "dist"), { recursive: true });
  symlinkSync(join(CHECKOUT, "node_modules"), join(copy, "node_modules"));
  mkdirSync(join(copy, ".buildpipeline"));
  symlinkSync(join(CHECKOUT, ".buildpipeline", "pulumi"), join(copy, ".buildpipeline", "pulumi"));
  runTool("release/owner.mjs", REPOSITORY.split("/"));
}

function runTool(script: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): string {
  const command = [join(copy, "tools", script), ...args];
  const env = { ...process.env, ...environment };
  return execFileSync(process.execPath, command, { encoding: "utf8", cwd: copy, env });
}

function artifact(pattern: RegExp): string {
  const found = readdirSync(out).filter((file) => pattern.test(file) && !file.endsWith(SBOM));
  expect(found).toHaveLength(1);
  return join(out, found[0] ?? "");
}

/** Copies an example as the other owner publishes it. */
async function start(example: string): Promise<Project> {
  const project = await Project.start(undefined, {}, directory);
  cpSync(join(copy, "examples", example), project.directory, { recursive: true });
  return project;
}

/** Deploys an example in a folder outside the checkout, where nothing is found but what is installed. */
async function deploysInstalled(project: Project, environment = ""): Promise<void> {
  project.withoutInstalledCommands();
  await project.newStack();
  await deploys(project, ["Linux", "Production"], environment);
}

test("A dry run lists every artifact with its size, and its checksums are right", () => {
  const sums = readFileSync(join(out, "SHA256SUMS"), "utf8").trimEnd().split("\n");
  for (const line of sums) {
    const [sum, file = ""] = line.split("  ");
    expect(
      createHash("sha256")
        .update(readFileSync(join(out, file)))
        .digest("hex"),
    ).toBe(sum);
    expect(printed).toMatch(new RegExp(`^ *[\\d.]+ [kM]B {2}${file.replaceAll(".", "\\.")}$`, "m"));
  }
  expect(sums.join("\n")).toContain(`pulumi-buildpipeline-${VERSION}.tgz`);
  expect(sums.join("\n")).toContain(
    `pulumi-resource-buildpipeline-v${VERSION}-${hostPlatform()?.name}.tar.gz`,
  );
  expect(readFileSync(join(out, "RELEASE_NOTES.md"), "utf8")).toContain("**the resources**");
});

test("Two builds of one commit are the same bytes, in another place, at another time and for another user", () => {
  const again = join(directory, "again");
  const moved = join(directory, "a copy elsewhere");
  renameSync(copy, moved);
  copy = moved;
  const before = process.umask(0o077);
  try {
    release(again, { TZ: "Asia/Tokyo", LANG: "C" });
  } finally {
    process.umask(before);
  }
  expect(readFileSync(join(again, "SHA256SUMS"), "utf8")).toBe(readFileSync(join(out, "SHA256SUMS"), "utf8"));
});

test("Each archive has a bill of materials with its checksum, and what it contains or needs", () => {
  const files = readdirSync(out);
  const archives = files.filter((file) => /\.(?:tgz|tar\.gz|whl|zip)$/.test(file));
  expect(files.filter((file) => file.endsWith(SBOM))).toEqual(archives.map((file) => file + SBOM));
  for (const file of archives) {
    const sum = createHash("sha256")
      .update(readFileSync(join(out, file)))
      .digest("hex");
    const { metadata } = billOf(file);
    expect(metadata.component).toMatchObject({ version: VERSION, hashes: [{ content: sum }] });
  }
  const { dependencies } = JSON.parse(readFileSync(join(CHECKOUT, "package.json"), "utf8"));
  const needed = billOf(basename(artifact(/\.tgz$/))).components;
  expect(needed.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  const archive = artifact(/^pulumi-resource-/);
  const contained = billOf(basename(archive)).components.map(({ name, version }) => `${name} ${version}`);
  expect(contained).toContain(`Node.js ${NODE_VERSION}`);
  const notices = execFileSync("tar", ["-xzOf", archive, "THIRD-PARTY-NOTICES.txt"], { encoding: "utf8" });
  for (const one of contained) expect(notices).toContain(`\n${one}`);
});

function billOf(archive: string) {
  return z
    .object({
      metadata: z.object({ component: z.unknown() }),
      components: z.array(z.object({ name: z.string(), version: z.string().optional() })),
    })
    .parse(JSON.parse(readFileSync(join(out, archive + SBOM), "utf8")));
}

test("The archive has the licenses of what is in the executable", () => {
  const archive = artifact(/^pulumi-resource-/);
  const listed = execFileSync("tar", ["-tzf", archive], { encoding: "utf8" }).trim().split("\n");
  expect(listed).toEqual(["pulumi-resource-buildpipeline", "LICENSE", "THIRD-PARTY-NOTICES.txt"]);
  const notices = execFileSync("tar", ["-xzOf", archive, "THIRD-PARTY-NOTICES.txt"], { encoding: "utf8" });
  for (const name of ["undici", "zod", "@grpc/grpc-js", "google-protobuf", "Node.js"]) {
    expect(notices).toMatch(new RegExp(`^${name} \\d`, "m"));
  }
});

test("Everything that is published names the owner, and nothing the owner before", () => {
  const unpacked = join(directory, "unpacked");
  for (const file of readdirSync(out)) {
    const folder = join(unpacked, file);
    mkdirSync(folder, { recursive: true });
    if (/gz$/.test(file)) execFileSync("tar", ["-xzf", join(out, file), "-C", folder]);
    else if (/\.(?:whl|zip)$/.test(file))
      execFileSync("python3", ["-m", "zipfile", "-e", join(out, file), folder]);
    else cpSync(join(out, file), join(folder, file));
  }
  expect(filesWith(unpacked, OWNER)).toEqual([]);
  const names = filesWith(unpacked, REPOSITORY).join("\n");
  for (const artifact of ["pulumi-buildpipeline-", "pulumi-resource-"]) {
    expect(names).toContain(join(unpacked, artifact));
  }

  // Pages of the site and of Pulumi's registry, examples and templates.
  for (const source of [
    ...["README.md", "CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md", "docs", "examples", "templates"],
    ...["plugin", ".github", "tools/site", "tools/release/registry"],
  ])
    expect(filesWith(join(copy, source), OWNER)).toEqual([]);
  expect(filesWith(join(copy, "tools", "release", "registry"), REPOSITORY)).toHaveLength(2);
});

test("The npm package has no scripts, which work in a checkout only", () => {
  const args = ["-xzOf", artifact(/\.tgz$/), "package/package.json"];
  expect(JSON.parse(execFileSync("tar", args, { encoding: "utf8" }))).not.toHaveProperty("scripts");
});

test("A platform that the plugin isn't built for is refused before anything is written", () => {
  const args = [join(copy, "tools", "release", "release.mjs"), "--out", out, "--platform", "linux-x64"];
  const before = readdirSync(out);
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stderr).toContain("There is no platform linux-x64. The plugin is built for linux-amd64, ");
  expect(status).toBe(1);
  expect(readdirSync(out)).toEqual(before);
});

/** The files in a folder that contain a text, executables included. */
function filesWith(path: string, text: string): string[] {
  const { status, stdout } = spawnSync("grep", ["-rlF", "--", text, path], { encoding: "utf8" });
  expect(status).toBeLessThan(2);
  return stdout.trim().split("\n").filter(Boolean);
}

test("The npm package deploys the quickstart from an empty folder", async () => {
  const project = await start("quickstart");
  const manifest = JSON.parse(project.read("package.json"));
  manifest.dependencies["pulumi-buildpipeline"] = `file:${artifact(/\.tgz$/)}`;
  project.write("package.json", JSON.stringify(manifest));
  // What makes the tests' programs start sooner is nothing for npm.
  await project.shell("env -u NODE_OPTIONS npm install --no-audit --no-fund --ignore-scripts");
  await deploysInstalled(project);
});

test.skipIf(missingHost("python"))("The wheel deploys the quickstart in Python", async () => {
  const project = await start("quickstart-python");
  // The oldest SDK that the wheel allows.
  project.write("requirements.txt", `pulumi==3.231.0\n${artifact(/\.whl$/)}\n`);
  const [withoutPackages = ""] = project.read("Pulumi.yaml").split("# `pulumi install`");
  project.write("Pulumi.yaml", withoutPackages);
  await project.shell(
    `pulumi plugin install resource buildpipeline ${VERSION} --file ${artifact(/^pulumi-resource-/)}`,
  );
  await project.shell("pulumi install");
  await project.shell("venv/bin/pip check");
  await project.shell("venv/bin/pip install --quiet mypy && venv/bin/mypy __main__.py");
  await deploysInstalled(project);
});

test.skipIf(missingHost("go"))("The Go module deploys the quickstart in Go", async () => {
  const project = await start("quickstart-go");
  const served = join(directory, "proxy", GO_MODULE, "@v");
  mkdirSync(served, { recursive: true });
  for (const kind of ["info", "mod", "zip"]) {
    cpSync(artifact(new RegExp(`-go-v.*\\.${kind}$`)), join(served, `v${VERSION}.${kind}`));
  }
  project.write("Pulumi.yaml", "name: buildpipeline-quickstart-go\nruntime: go\n");
  project.write("go.mod", project.read("go.mod").replace(/^replace .*$/m, ""));
  const proxies = `GOFLAGS=-mod=mod GONOSUMDB=${GO_MODULE} GOPROXY=file://${directory}/proxy,$(go env GOPROXY)`;
  await project.shell(
    `pulumi plugin install resource buildpipeline ${VERSION} --file ${artifact(/^pulumi-resource-/)}`,
  );
  await project.shell(`${proxies} go mod download ${GO_MODULE} && ${proxies} go build -o program .`);
  await deploysInstalled(project, proxies);
});

describe.each(["dotnet", "java"])("The sources for %s", (language) => {
  test.skipIf(missingHost(language))("name every resource type", () => {
    const archive = artifact(new RegExp(`-${language}-v`));
    const listed = execFileSync("tar", ["-tzf", archive], { encoding: "utf8" });
    for (const type of kinds.keys()) expect(listed).toMatch(new RegExp(`/${type}\\.(?:cs|java)$`, "m"));
  });

  test.skipIf(!missingHost(language))("are missing for a reason that the dry run prints", () => {
    const reason = `There is no SDK for ${language}: pulumi-language-${language} is not on the PATH.`;
    expect(readFileSync(join(out, "NOT_READY.txt"), "utf8")).toContain(reason);
  });
});
