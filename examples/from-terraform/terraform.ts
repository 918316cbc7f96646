import { readFileSync } from "node:fs";

/** The output of `terraform show -json`, as far as this program reads it. */
interface TerraformModule {
  readonly resources?: readonly {
    readonly address: string;
    readonly type: string;
    readonly values: Readonly<Record<string, unknown>>;
  }[];
  readonly child_modules?: readonly TerraformModule[];
}

/** Which attributes make the value of the option `import`. */
const attributes: Readonly<Record<string, readonly string[]>> = {
  buildkite_cluster: ["uuid"],
  buildkite_cluster_queue: ["cluster_uuid", "uuid"],
  buildkite_cluster_agent_token: ["cluster_uuid", "uuid"],
  buildkite_cluster_maintainer: ["cluster_uuid", "id"],
  buildkite_cluster_secret: ["cluster_id", "id"],
  buildkite_notification_service: ["id"],
  buildkite_organization_rule: ["uuid"],
  buildkite_pipeline: ["uuid"],
  buildkite_pipeline_schedule: ["pipeline_id", "uuid"],
  buildkite_pipeline_team: ["team_id", "pipeline_id"],
  buildkite_pipeline_template: ["uuid"],
  buildkite_team: ["uuid"],
  buildkite_team_member: ["team_id", "user_id"],
  buildkite_test_suite: ["uuid"],
  buildkite_test_suite_team: ["team_id", "test_suite_id"],
};

/** Returns the UUID in a GraphQL id, such as the one in the base64 form of `Team---<uuid>`, and other values as they are. */
function uuidIn(value: unknown): unknown {
  const [, uuid] = /^\w+---([\da-f-]{36})$/.exec(Buffer.from(String(value), "base64").toString()) ?? [];
  return uuid ?? value;
}

function readModule({ resources = [], child_modules = [] }: TerraformModule): [string, string][] {
  const own = resources.flatMap(({ address, type, values }): [string, string][] => {
    const names = attributes[type];
    // States of version 0 have no `uuid`, which the GraphQL id contains.
    return names ? [[address, names.map((name) => uuidIn(values[name] ?? values.id)).join("/")]] : [];
  });
  return [...own, ...child_modules.flatMap(readModule)];
}

/**
 * Values of the option `import`, by the addresses that resources have in Terraform.
 *
 * @param file what `terraform show -json` printed
 */
export function terraformImports(file: string): (address: string) => string {
  const printed: { values: { root_module: TerraformModule } } = JSON.parse(readFileSync(file, "utf8"));
  const found = new Map(readModule(printed.values.root_module));
  return (address) => {
    const name = found.get(address);
    if (name !== undefined) return name;
    throw new Error(`${file} has no ${address}. It has: ${[...found.keys()].join(", ")}`);
  };
}
