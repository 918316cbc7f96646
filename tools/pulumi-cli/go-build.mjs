// The CLI, built from its Go modules where the official download cannot be reached. go/go.mod and go/go.sum pin every
// module of the build.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { mustRun, run } from "../child.mjs";
import { PROVIDED_VERSION } from "./release.mjs";

const modules = join(dirname(fileURLToPath(import.meta.url)), "go");
const PACKAGE = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const TAGS = "osusergo,grpcnotrace";
const LINKER_FLAGS = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${PROVIDED_VERSION}`;

/** Whether this machine has Go. */
export async function hasGo() {
  return (await run("go", ["version"], { killAfterMs: 30_000 })).code === 0;
}

/** Fetches the modules. @param {(detail: string) => void} report */
export async function fetchModules(report) {
  await mustRun("Fetching the Go modules of Pulumi", "go", ["list", "-deps", "-tags", TAGS, PACKAGE], {
    cwd: modules,
    env: environment(),
    onLine: (line) => {
      const fetched = /^go: downloading (\S+)/.exec(line)?.[1];
      if (fetched !== undefined) report(fetched);
    },
  });
}

/**
 * Builds `directory`/bin/pulumi.
 *
 * @param {string} directory
 * @param {(detail: string) => void} report
 */
export async function buildFromModules(directory, report) {
  mkdirSync(join(directory, "bin"));
  let compiled = 0;
  await mustRun(
    "Building Pulumi from source",
    "go",
    ["build", "-v", "-o", join(directory, "bin", "pulumi"), "-tags", TAGS, "-ldflags", LINKER_FLAGS, PACKAGE],
    {
      cwd: modules,
      env: environment(),
      onLine: () => {
        compiled += 1;
        report(`${compiled} packages compiled`);
      },
    },
  );
}

function environment() {
  return {
    ...process.env,
    GOFLAGS: `${process.env.GOFLAGS ?? ""} -mod=readonly -buildvcs=false`.trim(),
    GOWORK: "off",
  };
}
