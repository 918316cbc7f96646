import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";

const CHECKOUT = join(__dirname, "..", "..");
const EXAMPLES = join(CHECKOUT, "examples", "token-stores");
/** The providers of the stores take 200 MB, so they are no part of the checkout's installation. */
const INSTALLED = join(CHECKOUT, ".buildpipeline", "token-stores");
const names = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Installs the packages that the examples name. @returns whether that was possible */
function install(): boolean {
  mkdirSync(INSTALLED, { recursive: true });
  const dependencies: Record<string, string> = {};
  for (const name of names) {
    const project = JSON.parse(readFileSync(join(EXAMPLES, name, "package.json"), "utf8"));
    const { "pulumi-buildpipeline": _, ...others } = project.dependencies;
    Object.assign(dependencies, others);
  }
  const sdk = join(INSTALLED, "node_modules", "@pulumi", "pulumi");
  rmSync(sdk, { recursive: true, force: true });
  writeFileSync(join(INSTALLED, "package.json"), JSON.stringify({ private: true, dependencies }));
  try {
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
    execFileSync("npm", ["install", ...options], { cwd: INSTALLED, stdio: "ignore", timeout: 600_000 });
  } catch {
    return false;
  }
  // One SDK for everything, as in a project.
  rmSync(sdk, { recursive: true, force: true });
  symlinkSync(join(CHECKOUT, "node_modules", "@pulumi", "pulumi"), sdk);
  const own = join(INSTALLED, "node_modules", "pulumi-buildpipeline");
  rmSync(own, { recursive: true, force: true });
  symlinkSync(CHECKOUT, own);
  for (const name of names) cpSync(join(EXAMPLES, name), join(INSTALLED, name), { recursive: true });
  return true;
}

/** Runs a compiled program under Pulumi's mocks, and prints what it registers and exports. */
const UNDER_MOCKS = `
const pulumi = require("@pulumi/pulumi");
const seen = [];
void (async () => {
  await pulumi.runtime.setMocks({
    newResource: async ({ name, type, inputs }) => {
      for (const [key, value] of Object.entries(inputs))
        if (value?.text instanceof Promise) inputs[key] = await value.text;
      seen.push({ name, type, inputs });
      const token = type.endsWith(":AgentToken") ? { token: "secret of " + inputs.description } : {};
      return { id: name, state: { ...inputs, ...token } };
    },
    call: ({ inputs }) => inputs,
  }, "stores");
  pulumi.runtime.setAllConfig({
    "stores:tokenGeneration": process.argv[3],
    "stores:pulumiOrganization": "acme",
  });
  const exported = await pulumi.runtime.serializeProperties("outputs", require(process.argv[2]));
  process.stdout.write(JSON.stringify({ seen, exported }));
})();
`;

interface Run {
  readonly seen: readonly { readonly type: string; readonly inputs: Readonly<Record<string, unknown>> }[];
  readonly exported: Readonly<Record<string, unknown>>;
}

async function run(name: string, generation: number): Promise<Run> {
  writeFileSync(join(INSTALLED, "mocks.cjs"), UNDER_MOCKS);
  const program = join(INSTALLED, name, "build", "index.js");
  const args = [join(INSTALLED, "mocks.cjs"), program, String(generation)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: INSTALLED });
  return JSON.parse(stdout);
}

describe("The examples of token stores, with the real packages of their providers", () => {
  let installed = false;
  beforeAll(() => {
    installed = install();
  });

  test.for(names)("%s compiles, and gives the newest secret to its store", async (name, { skip }) => {
    skip(!installed, "npm could not install the providers of the token stores");
    const tsc = join(CHECKOUT, "node_modules", "typescript", "bin", "tsc");
    const compile = [tsc, "--noEmit", "false", "--outDir", "build", "-p", join(INSTALLED, name)];
    await promisify(execFile)(process.execPath, compile, { cwd: join(INSTALLED, name) });
    const store: Readonly<Record<string, string>> = {
      aws: "aws:ssm/parameter:Parameter",
      kubernetes: "kubernetes:core/v1:Secret",
      google: "gcp:secretmanager/secretVersion:SecretVersion",
      esc: "pulumiservice:index:Environment",
    };
    for (const generation of [1, 2, 3]) {
      const { seen, exported } = await run(name, generation);
      const found = seen.filter(({ type }) => type === store[name]);
      expect(found).toHaveLength(1);
      const newest = generation === 1 ? /secret of [^#"]*"/ : new RegExp(`secret of [^#]*#${generation}"`);
      expect(JSON.stringify(found[0]?.inputs).replaceAll('\\"', '"')).toMatch(newest);
      expect(exported).toMatchObject({ generation });
      expect(JSON.stringify(exported)).not.toContain("secret of");
    }
  });
});
