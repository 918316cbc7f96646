import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BuildPipelineClient } from "../../src/client/index.js";
import type { EmulatorOptions } from "../../src/emulator/index.js";
import { LARGE, makeAwkwardOrganization, SMALL } from "../cli/awkward-organization.js";
import { Project } from "./project.js";

const COMMAND = `node ${join(__dirname, "..", "..", "dist", "cli", "main.js")}`;

/** `npm run test:adopt` takes an organization as it is after years; the other run one with each awkward name. */
const SIZES = process.env.ADOPT_LARGE ? LARGE : SMALL;

const UNTIDY: EmulatorOptions["variations"] = {
  unsetText: "absent",
  allowedAddressesUnset: "",
  allowedAddressesForm: "array",
  allowedAddresses: "canonical",
  colorCase: "upper",
  emojiForm: "bare",
  yamlText: "reformatted",
  suiteReadReturnsCreateFields: "single",
  teamReturnsWritableFields: true,
  embeddedUserGraphqlId: false,
  linkRelations: "next-only",
  undocumentedPages: "always",
};

let project: Project;
afterEach(() => project?.close());

const CASES: [what: string, door: string, variations: NonNullable<EmulatorOptions["variations"]>][] = [
  ["a service that leaves out, empties and rewrites", "", UNTIDY],
];
if (process.env.ADOPT_LARGE) {
  vi.setConfig({ testTimeout: 900_000 });
  CASES.push(["a tidy service", "", {}]);
  // How the plugin imports each kind is tested without an engine.
  CASES.push(["a tidy service, by the plugin", "--native", {}]);
}

describe.each(CASES)("An organization made by hand, on %s", (_, door, variations) => {
  beforeEach(async () => {
    project = await Project.start(undefined, { seed: false, variations });
    const { url: baseUrl, accessToken, organization } = project.emulator;
    const client = new BuildPipelineClient({ baseUrl, accessToken, organization });
    await makeAwkwardOrganization(client, SIZES);
    await client.close();
    project.emulator.clearRequests();
  });

  test("is adopted by reads, and after that nothing changes", async () => {
    const took: Record<string, number> = {};
    const timed = async (name: string, line: string) => {
      const begun = Date.now();
      const output = await project.shell(line);
      took[name] = Math.round((Date.now() - begun) / 100) / 10;
      return output;
    };
    // Where the plugin is, as if the package were installed in the project.
    mkdirSync(join(project.directory, "node_modules"));
    symlinkSync(join(__dirname, "..", ".."), join(project.directory, "node_modules", "pulumi-buildpipeline"));
    await timed("adopt", `${COMMAND} adopt . ${door}`);
    const lists = requests();
    expect(lists.filter((operation) => !operation.endsWith(".list"))).toEqual([]);

    await project.newStack();
    const imported = await timed("import", `${COMMAND} adopt . --import`);
    const again = requests().slice(lists.length);
    expect(imported).toContain("Nothing is new.");
    const resources: unknown[] = JSON.parse(project.read("import.json")).resources;
    expect(imported).toMatch(new RegExp(`= ${resources.length} imported`));
    // What is not the second look at the lists is the import.
    if (door === "") expect(new Set(again)).toEqual(new Set(["accessToken.get"]));
    expect(again.filter((operation) => !/\.(?:get|list)$/.test(operation))).toEqual([]);

    await timed("preview", "pulumi preview --expect-no-changes");
    await timed("refresh", "pulumi refresh --yes --skip-preview --expect-no-changes");
    await timed("preview after the refresh", "pulumi preview --expect-no-changes");
    expect(project.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    if (process.env.ADOPT_LARGE)
      console.log({
        resources: resources.length,
        requests: { adopt: lists.length, import: again.length, others: project.emulator.requests.length },
        seconds: took,
      });
  });
});

/** Operations since the last call. */
function requests(): string[] {
  const operations = project.emulator.requests.map(({ operation }) => operation ?? "unknown");
  project.emulator.clearRequests();
  return operations;
}
