import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { CHECKOUT, testFolder } from "../support/checkout.js";
import { writeCommand } from "../support/commands-on-path.js";

const script = join(CHECKOUT, "tools/dev/lint-scripts.mjs");

let directory: string;
beforeEach(() => {
  directory = testFolder();
  // No registry answers, unless a test replaces a command.
  for (const command of ["go", "python3"]) writeCommand(directory, command, "echo no registry >&2; exit 1");
});

function lint() {
  const env = {
    ...process.env,
    PATH: `${directory}${delimiter}${process.env.PATH}`,
    XDG_CACHE_HOME: join(directory, "cache"),
  };
  return spawnSync(process.execPath, [script], { env, encoding: "utf8" });
}

it("passes, and says loudly what is not checked, where the linters can't be installed", () => {
  const { status, stderr } = lint();
  expect(status).toBe(0);
  expect(stderr).toMatch(/^shellcheck \S+ can't be installed: no registry$/m);
  expect(stderr).toMatch(/^NOT CHECKED: [1-9]\d* shell scripts/m);
  expect(stderr).toMatch(/^NOT CHECKED: [1-9]\d* workflows/m);
  expect(stderr.match(/^NOT CHECKED: [1-9]\d* pipelines/gm)).toHaveLength(2);
});

it.each([
  ["finds something", 1],
  ["finds nothing", 0],
])("installs a linter once, and ends with its exit code: it %s", (_, code) => {
  const linter = `echo "linted $#"; exit ${code}`;
  writeCommand(directory, "linter", linter);
  writeCommand(directory, "go", `mkdir -p "$GOBIN" && cp '${join(directory, "linter")}' "$GOBIN/actionlint"`);
  expect(lint()).toMatchObject({
    status: code,
    stderr: expect.stringMatching(/^Installing actionlint[\s\S]*^linted/m),
  });
  const again = lint();
  expect(again.stderr).not.toContain("Installing actionlint");
  expect(again.stderr).toMatch(/^linted \d+\nChecked: [1-9]\d* workflows\.$/m);
});

it.each([
  ["gitlab-ci", "buildkite", "examples/gitops/.gitlab-ci.yml"],
  ["buildkite", "gitlab-ci", "examples/gitops/.buildkite/pipeline.yml"],
])("fails with the reason if a pipeline doesn't follow the schema %s", (strict, lax, file) => {
  const schemas = "$target/check_jsonschema/builtin_schemas/vendor";
  writeCommand(
    directory,
    "python3",
    `while [ "$1" != --target ]; do shift; done
target=$2
grep -q check-jsonschema "$target/requirements.txt" || exit 1
mkdir -p "${schemas}"
echo '{"required":["owner"]}' > "${schemas}/${strict}.json"
echo '{}' > "${schemas}/${lax}.json"`,
  );
  const { status, stderr } = lint();
  expect(status).toBe(1);
  expect(stderr).toContain(`${file}: data must have required property 'owner'`);
  expect(stderr).toContain(`Checked: 1 pipelines with the schema ${lax}.`);
});
