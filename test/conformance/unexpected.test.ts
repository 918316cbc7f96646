import { describe, expect, test } from "vitest";
import { UnexpectedResponseError } from "../../src/client/index.js";
import { pathsIn, putting, VALUES } from "../support/unexpected-values.js";
import { cases } from "./all-cases.js";
import { plantAccess } from "./cases-of-access.js";
import { asObject } from "./description.js";
import { type OperationId, shownSettings } from "./operations.js";
import { failureOf, World } from "./world.js";

const variations = {
  agentTokenExpiresAt: "shown",
  suiteReadReturnsCreateFields: true,
  teamReturnsWritableFields: true,
} as const;
const world = World.forAll(plantAccess, { variations });

/** Fields of responses that identify, or that a request sets: one of another type is an error, and not an absent one. */
const DECIDING: readonly (readonly [OperationId, string])[] = [
  ["clusters.get", "id name description emoji color default_queue_id"],
  ["queues.get", "id key description dispatch_paused dispatch_paused_note"],
  ["agentTokens.get", "id description allowed_ip_addresses"],
  [
    "teams.get",
    "id name description privacy default is_default_team default_member_role members_can_create_pipelines",
  ],
  ["suites.get", "id slug name default_branch application_name color emoji"],
  ["accessToken.get", "uuid scopes"],
  ["pipelines.get", `id name repository cluster_id archived_at ${Object.keys(shownSettings).join(" ")}`],
  ["pipelineSchedules.get", "id cronline label message commit branch env env.DEEP enabled"],
  ["teamMembers.get", "user_id role"],
  ["teamPipelines.get", "pipeline_id access_level"],
  ["teamSuites.get", "suite_id access_level"],
  ["clusterMaintainers.get", "id actor actor.id actor.type"],
  ["clusterSecrets.get", "id key description policy"],
  ["invitations.get", "id state email role"],
  ["auditEvents.get", "uuid type occurred_at"],
  ["organizationRules.get", "uuid type source_uuid target_uuid"],
  [
    "notificationServices.get",
    "id provider provider.id description enabled scope scope_uuids branch_configuration",
  ],
];

const kindOf = (value: unknown) => (Array.isArray(value) ? "array" : typeof value);

describe.each(DECIDING)("a response to %s", (operation, names) => {
  const deciding = names.split(/\s+/);
  const given = async () => asObject(await cases[operation](world.places).call(world.client));
  const receiving = (change: (body: unknown) => unknown) => {
    world.emulator.fault({ operation, action: { change } });
    return given();
  };

  test("may have anything in the fields that decide nothing, and then lacks them", async () => {
    const response = await given();
    const paths = pathsIn(response).filter((path) => !deciding.includes(path.join(".")));
    const outer = paths.filter(({ length }) => length === 1);
    const inner = paths.filter(({ length }) => length > 1);
    for (const value of VALUES)
      for (const odd of [outer, inner]) {
        const result = await receiving((body) => odd.reduce((one, path) => putting(path, value)(one), body));
        for (const [name, right] of Object.entries(response)) {
          const found = result[name];
          if (found != null && right !== null) expect(kindOf(found), name).toBe(kindOf(right));
        }
      }
    expect(paths.length).toBeGreaterThan(0);
  });

  test("is an error if another field has what the API doesn't document", async () => {
    const odd = VALUES.at(-1);
    const failures = await Promise.all(
      deciding.map((name) => failureOf(receiving(putting(name.split("."), odd)))),
    );
    for (const failure of failures) expect(failure).toBeInstanceOf(UnexpectedResponseError);
  });
});
