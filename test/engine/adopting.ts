import { expect } from "vitest";
import { makeAwkwardOrganization, type Sizes } from "../support/awkward-organization.js";
import { makeOrganization, usualOrganization } from "../support/usual-organization.js";
import { COMMAND, Project } from "./project.js";

/** A service that leaves out, empties and rewrites what it can. */
const UNTIDY = {
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
} as const;

/** Runs lines, and notes how many seconds each takes. */
export function stopwatch(project: Project) {
  const seconds: Record<string, number> = {};
  const timed = async (name: string, line: string) => {
    const begun = Date.now();
    const output = await project.shell(line);
    seconds[name] = Math.round((Date.now() - begun) / 100) / 10;
    return output;
  };
  return { seconds, timed };
}

/**
 * Checks that an organization made in the web interface is imported with one command, and then is unchanged.
 *
 * @param flags of `adopt`, without which the service is an untidy one
 * @returns how many requests and seconds each command took
 */
export async function adopts(sizes: Sizes, flags = ""): Promise<object> {
  const project = await Project.start(undefined, { variations: flags === "" ? UNTIDY : {} });
  await makeAwkwardOrganization(project.client, sizes);
  await makeOrganization(usualOrganization(), project.emulator, project.client);
  const { seconds, timed } = stopwatch(project);
  const requests = () => {
    const operations = project.emulator.requests.map(({ operation }) => operation ?? "unknown");
    project.emulator.clearRequests();
    return operations;
  };
  requests();
  // The plugin is there, as if the package were installed in the project.
  project.linkPackage();
  await timed("adopt", `${COMMAND} adopt . ${flags}`);
  const lists = requests();
  // No list has archived pipelines. The import file names the API access token that read what others may not see.
  const besides = lists.filter((operation) => !/\.list$|^pipelines\.get$/.test(operation));
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
  // It records the secret addresses of webhooks.
  await project.shell("pulumi refresh --yes --skip-preview");
  await timed("refresh", "pulumi refresh --yes --skip-preview --expect-no-changes");
  expect(project.writes()).toEqual([]);
  const others = project.emulator.requests.length;
  const counts = { adopt: lists.length, import: again.length, others };
  return { resources: resources.length, requests: counts, seconds };
}
