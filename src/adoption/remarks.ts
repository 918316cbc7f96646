import { declarable } from "../inventory/kinds.js";
import type { LiveObject } from "../inventory/listing.js";
import { counted } from "../messages/nouns.js";
import type { ExistingProject } from "./existing-project.js";
import { PLUGIN } from "./project-files.js";

/** What the service does not tell of adopted objects, and what to do about it, a paragraph each. */
export function remarksOn(objects: readonly LiveObject[]): string[] {
  const of = <Kind extends LiveObject["kind"]>(kind: Kind) =>
    objects.filter((object): object is Extract<LiveObject, { kind: Kind }> => object.kind === kind);
  const tokens = of("AgentToken").length;
  const suites = of("Suite");
  const unknownAtImport = of("Team").filter(
    ({ kind, entity }) => declarable(kind, entity, undefined).unknownAtImport.length > 0,
  ).length;
  const paused = of("Queue").filter(({ entity }) => entity.dispatch_paused === true).length;
  const remarks: string[] = [];
  if (tokens > 0) {
    remarks.push(
      `The secrets of ${counted(tokens, "agent token")} cannot be read back: agents keep theirs, and the output \`token\` ` +
        "is undefined. To have the secret in state, add `triggers`: the next deployment creates a new token and revokes " +
        "the old one.",
    );
  }
  if (suites.length > 0) {
    remarks.push(
      `The API tokens of ${counted(suites.length, "suite")} cannot be read back: the output \`apiToken\` is undefined. ` +
        "Copy one from the web interface where you need it. The API doesn't return a suite's teams, so `teamIds` is omitted.",
    );
  }
  const fields = ["application_name", "color", "emoji"];
  if (suites.some(({ entity }) => !fields.every((field) => Object.hasOwn(entity, field)))) {
    remarks.push(
      "The list of suites has no application name, color or emoji, so they are omitted. Their values don't change.",
    );
  }
  if (unknownAtImport > 0) {
    remarks.push(
      `Of ${counted(unknownAtImport, "team")} the API doesn't return \`defaultMemberRole\` and \`membersCanCreatePipelines\`, and ` +
        "every update sends them. They are written as `member` and `false`: compare them with the web interface before " +
        "you change a team.",
    );
  }
  if (paused > 0) {
    remarks.push(
      `${counted(paused, "queue")} ${paused === 1 ? "is" : "are"} paused now. The program does not manage pausing; ` +
        "`dispatchPaused: true` would.",
    );
  }
  return remarks;
}

/** What a project of people's own lacks to find the plugin. */
export function remarksOnPlugin({ files }: ExistingProject): string[] {
  const settings = files.get("Pulumi.yaml") ?? files.get("Pulumi.yml");
  if (settings === undefined || /^plugins:/m.test(settings)) return [];
  return [
    `Pulumi.yaml does not say where the plugin is. Add \`plugins: { providers: [{ name: ${PLUGIN.name}, path: ${PLUGIN.path} }] }\`.`,
  ];
}
