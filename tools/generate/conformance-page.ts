import { alphabetically } from "../../src/shared/messages/alphabet.js";
import type { Evidence } from "../../test/conformance/recorded/evidence.mjs";
import { type Difference, describedResponse, differences } from "../../test/conformance/recorded/fields.mjs";
import { page, table } from "./markdown.js";
import type { Operation } from "./operations.js";

/** What is known of the operations from outside this repository. */
export interface OutsideEvidence {
  readonly recorded: readonly Evidence[];
  /** Operations that published clients use against the emulator, by client. */
  readonly clients: Readonly<Record<string, readonly string[]>>;
  /** Operations in Buildkite's own OpenAPI file that agree with the client; none if no file was compared. */
  readonly official: readonly string[];
}

const KINDS = `
- **Live traffic**: somebody recorded a request to api.buildkite.com and its response. The typed client sends the same request, and accepts the response.
- **Buildkite's OpenAPI file** describes the operation as the client uses it.
- **A published client**, whose users run it against Buildkite, uses the operation against the emulator.
- **Documentation**: client and emulator follow Buildkite's documentation, and nothing else was compared.
`.trim();

const REPEAT = `
\`npm test -- recorded <folder>\` plays recordings, which this repository doesn't contain. [\`probe --record\`](../guides/probe.md#give-evidence-back) makes some in your organization. \`npm test -- contract <file>\` compares an OpenAPI file; nobody here had Buildkite's yet.
`.trim();

/** Returns how many operations agree with recorded live traffic, as the README says it. */
export function agreement(operations: readonly Operation[], { recorded }: OutsideEvidence): string {
  const agreeing = operations.filter(({ id }) => recorded.some(({ operation }) => operation === id));
  return `${agreeing.length} of ${operations.length} operations`;
}

function bestEvidence({ id }: Operation, { recorded, clients, official }: OutsideEvidence): [string, string] {
  const [newest] = recorded
    .filter(({ operation }) => operation === id)
    .sort((one, other) => alphabetically(other.date, one.date));
  if (newest !== undefined) {
    const { date, source, otherwise } = newest;
    return [`live traffic, ${date}, [${source}](https://github.com/${source})`, otherwise.join(", ")];
  }
  if (official.includes(id)) return ["Buildkite's OpenAPI file", ""];
  const users = Object.keys(clients).filter((client) => clients[client]?.includes(id));
  return [users.length > 0 ? users.join(", ") : "documentation", ""];
}

/** Returns the page that says which evidence each operation has, and where the emulator differs from it. */
export function conformancePage(
  operations: readonly Operation[],
  outside: OutsideEvidence,
  description: Readonly<Record<string, unknown>>,
): string {
  const rows = operations.map((operation) => [
    `\`${operation.method} ${operation.path}\``,
    `\`${operation.id}\``,
    ...bestEvidence(operation, outside),
  ]);
  return page(
    "Conformance",
    `**${agreement(operations, outside)} agree with recorded live traffic.** This page lists the best evidence for each operation, because this package has never run against api.buildkite.com.`,
    [
      KINDS,
      REPEAT,
      "## Operations",
      table(["operation", "client method", "best evidence", "the client's request differs"], rows),
      "## Fields that differ",
      "The recordings show one organization on one day, so a field that they lack may be newer or optional. The client ignores fields that it doesn't know.",
      table(["field", "operations", "recorded", "emulator"], fieldRows(outside.recorded, description)),
    ],
  );
}

function fieldRows(
  recorded: readonly Evidence[],
  description: Readonly<Record<string, unknown>>,
): string[][] {
  const found = recorded.flatMap(({ operation, fields, status }) => {
    const described = describedResponse(description, operation);
    const ofStatus: Difference[] =
      status === described.status
        ? []
        : [{ field: "status", recorded: String(status), emulator: String(described.status) }];
    const all = [...ofStatus, ...differences(fields, described.fields)];
    return all.map((difference) => ({ operation, ...difference }));
  });
  const groups = Map.groupBy(found, ({ field, recorded, emulator }) =>
    [field, recorded, emulator].join("\n"),
  );
  return [...groups].map(([key, all]) => {
    const [field = "", ...types] = key.split("\n");
    return [`\`${field}\``, operationsIn(all, recorded), ...types];
  });
}

/** Lists operations by their groups, and those of a whole group by its name. */
function operationsIn(some: readonly { operation: string }[], recorded: readonly Evidence[]): string {
  const groupOf = ({ operation }: { operation: string }) => operation.split(".")[0] ?? "";
  const groups = Map.groupBy(some, groupOf);
  return [...groups]
    .map(([group, own]) => {
      if (own.length === recorded.filter((one) => groupOf(one) === group && one.fields.size > 0).length)
        return `\`${group}\` (all)`;
      return own.map(({ operation }) => `\`${operation}\``).join(", ");
    })
    .join(", ");
}
