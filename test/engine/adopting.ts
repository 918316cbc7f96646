import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BuildPipelineClient } from "../../src/client/index.js";
import type { EmulatorOptions } from "../../src/emulator/index.js";
import { makeAwkwardOrganization, type Sizes } from "../support/awkward-organization.js";
import { COMMAND, Project } from "./project.js";

interface Case {
  readonly sizes: Sizes;
  readonly variations: NonNullable<EmulatorOptions["variations"]>;
  /** Flags of `adopt`. Default: none. */
  readonly flags?: string;
  /** Prints how many requests and seconds each command took. Default: false. */
  readonly prints?: boolean;
}

/** A service that leaves out, empties and rewrites what it can. */
export const UNTIDY: Case["variations"] = {
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

/** Tests that an organization made in the web interface is imported with one command, and then is unchanged. */
export function adopts(title: string, { sizes, variations, flags = "", prints = false }: Case): void {
  describe(title, () => {
    let project: Project;
    afterEach(() => project?.close());
    beforeEach(async () => {
      project = await Project.start(undefined, { seed: false, variations });
      const { url: baseUrl, accessToken, organization } = project.emulator;
      const client = new BuildPipelineClient({ baseUrl, accessToken, organization });
      await makeAwkwardOrganization(client, sizes);
      await client.close();
      project.emulator.clearRequests();
    });

    test("is imported by reads, and after that nothing changes", async () => {
      const seconds: Record<string, number> = {};
      const timed = async (name: string, line: string) => {
        const begun = Date.now();
        const output = await project.shell(line);
        seconds[name] = Math.round((Date.now() - begun) / 100) / 10;
        return output;
      };
      // Where the plugin is, as if the package were installed in the project.
      mkdirSync(join(project.directory, "node_modules"));
      symlinkSync(
        join(__dirname, "..", ".."),
        join(project.directory, "node_modules", "pulumi-buildpipeline"),
      );
      await timed("adopt", `${COMMAND} adopt . ${flags}`);
      const lists = requests();
      // The import file names the API access token that read what other tokens may be unable to read.
      const besides = lists.filter((operation) => !operation.endsWith(".list"));
      expect(besides).toEqual(flags === "" ? ["accessToken.get"] : []);

      await project.newStack();
      const imported = await timed("import", `${COMMAND} adopt . --import`);
      const again = requests().slice(lists.length);
      expect(imported).toContain("Nothing is new.");
      const resources: unknown[] = JSON.parse(project.read("import.json")).resources;
      expect(imported).toMatch(new RegExp(`= ${resources.length} imported`));
      // What is not the second look at the lists is the import.
      if (flags === "") expect(new Set(again)).toEqual(new Set(["accessToken.get"]));
      expect(again.filter((operation) => !/\.(?:get|list)$/.test(operation))).toEqual([]);

      await timed("preview", "pulumi preview --expect-no-changes");
      await timed("refresh", "pulumi refresh --yes --skip-preview --expect-no-changes");
      expect(project.writes()).toEqual([]);
      if (!prints) return;
      const others = project.emulator.requests.length;
      const counts = { adopt: lists.length, import: again.length, others };
      console.log({ resources: resources.length, requests: counts, seconds });
    });

    /** Operations since the last call. */
    function requests(): string[] {
      const operations = project.emulator.requests.map(({ operation }) => operation ?? "unknown");
      project.emulator.clearRequests();
      return operations;
    }
  });
}
