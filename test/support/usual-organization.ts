import type { BuildPipelineClient } from "../../src/client/index.js";
import type { Emulator } from "../../src/emulator/index.js";
import { TEAM } from "./colleague.js";

/** An organization as people have it: a repository has a pipeline, and often one that deploys it. */
export interface Organization {
  readonly clusters: readonly { readonly name: string; readonly queues: readonly string[] }[];
  readonly people: readonly string[];
  readonly teams: readonly { readonly name: string; readonly members: readonly number[] }[];
  readonly pipelines: readonly Pipeline[];
}

interface Pipeline {
  readonly name: string;
  readonly repository: string;
  readonly steps: string;
  readonly cluster: number | undefined;
  /** Teams that own it; the first team reads all. */
  readonly owners: readonly number[];
  /** What else the body of its creation has. */
  readonly more: object;
  readonly schedules: readonly string[];
  readonly archived: boolean;
}

/** What the API returns of a pipeline of GitHub whose settings nobody touched. */
export const SETTINGS = {
  trigger_mode: "code",
  build_branches: true,
  build_tags: false,
  build_pull_requests: true,
  build_pull_request_forks: false,
  pull_request_branch_filter_enabled: false,
  skip_pull_request_builds_for_existing_commits: true,
  publish_commit_status: true,
  publish_commit_status_per_step: false,
  cancel_deleted_branch_builds: false,
};

const REPOSITORIES = {
  Web: ["shop", "checkout-ui", "design-system", "cms", "search-ui"],
  Payments: ["payments-api", "ledger", "fraud-scores"],
  Mobile: ["ios-app", "android-app", "mobile-sdk"],
  "Data & ML": ["etl", "feature-store", "recommendations"],
  SRE: ["terraform-live", "k8s-addons"],
  Platform: ["ci-images", "agent-hooks", "monorepo"],
};
const ARCHIVED = ["landing-pages", "old-shop"];
const UPLOAD = 'steps:\n  - label: ":pipeline: Upload"\n    command: buildkite-agent pipeline upload\n';

/** Three clusters, seven teams and some forty pipelines: settings, forks, timeouts, branches, public and archived ones. */
export function usualOrganization(): Organization {
  const teams = Object.keys(REPOSITORIES);
  const repositories = Object.entries(REPOSITORIES).flatMap(([team, names]) =>
    names.map((name) => ({ name, team: teams.indexOf(team) + 1 })),
  );
  const address = (name: string) => `git@github.com:acme/${name}.git`;
  const filters = {
    skip_queued_branch_builds: true,
    skip_queued_branch_builds_filter: "!main",
    cancel_running_branch_builds: true,
    cancel_running_branch_builds_filter: "!main",
  };
  const timeouts = { default_command_step_timeout: 60, maximum_command_step_timeout: 120 };
  const pipeline = (given: Partial<Pipeline> & Pick<Pipeline, "name">): Pipeline => ({
    repository: address(given.name),
    steps: UPLOAD,
    cluster: 0,
    owners: [],
    schedules: [],
    archived: false,
    ...given,
    more: { default_branch: "main", provider_settings: SETTINGS, ...given.more },
  });
  return {
    clusters: [
      { name: "Linux", queues: ["small", "large", "arm64", "docker"] },
      { name: "Mac", queues: ["xcode-26"] },
      { name: "Deploy (production)", queues: ["deploy-eu"] },
    ],
    people: ["Ada Archer", "Ben Baker", "Cleo Costa", "Dan Diaz"],
    teams: ["Everyone", ...teams].map((name, index) => ({ name, members: [index % 4, (index + 1) % 4] })),
    pipelines: [
      ...repositories.flatMap(({ name, team }, index) => [
        pipeline({
          name,
          owners: [team],
          cluster: name.startsWith("ios") ? 1 : 0,
          schedules: index % 4 === 0 ? ["Nightly"] : [],
          more: {
            ...filters,
            tags: [teams[team - 1]?.toLowerCase()],
            ...((name === "cms" || name === "etl") && { default_branch: "master" }),
            ...(name === "design-system" && { visibility: "public", description: "Open source" }),
            ...(name === "ledger" && { provider_settings: { ...SETTINGS, build_pull_request_forks: true } }),
            ...(name === "monorepo" && { provider_settings: { ...SETTINGS, build_tags: true } }),
          },
        }),
        ...(name.endsWith("sdk") || name.endsWith("hooks")
          ? []
          : [
              pipeline({
                name: `${name} deploy`,
                repository: address(name),
                cluster: 2,
                owners: [team],
                steps: `steps:\n  - label: ":rocket: Deploy"\n    command: ./deploy.sh ${name}\n    concurrency: 1\n    concurrency_group: deploy/${name}\n`,
                more: {
                  ...timeouts,
                  branch_configuration: "main",
                  tags: ["deploy"],
                  provider_settings: { ...SETTINGS, trigger_mode: "none" },
                  ...(team === 2 && { allow_rebuilds: false }),
                },
              }),
            ]),
      ]),
      ...ARCHIVED.map((name) => pipeline({ name, owners: [1], archived: true })),
    ],
  };
}

export async function makeOrganization(
  { clusters, people, teams, pipelines }: Organization,
  emulator: Emulator,
  client: BuildPipelineClient,
): Promise<void> {
  const clusterIds: string[] = [];
  for (const { name, queues } of clusters) {
    const { id } = await client.clusters.create({ name });
    clusterIds.push(id);
    for (const key of queues)
      await client.queues.create(id, {
        key,
        description: `Machines: ${key}`,
        ...(key === "docker" && { hostedAgents: { instanceShape: "LINUX_AMD64_2X4" } }),
      });
    await client.agentTokens.create(id, { description: "Machines", allowed_ip_addresses: "10.0.0.0/8" });
  }
  const users = people.map((name, index) => emulator.addMember({ name, email: `${index}@acme.example` }).id);
  const teamIds: string[] = [];
  for (const { name, members } of teams) {
    const { id = "" } = await client.teams.create({ ...TEAM, name });
    teamIds.push(id);
    for (const [index, member] of [...new Set(members)].entries())
      await client.teamMembers.create(id, {
        user_id: users[member] ?? "",
        role: index === 0 ? "maintainer" : "member",
      });
  }
  for (const { name, repository, steps, cluster, owners, more, schedules, archived } of pipelines) {
    const clusterId = cluster === undefined ? undefined : clusterIds[cluster];
    const { id, slug } = await client.pipelines.create({
      name,
      repository,
      configuration: steps,
      ...(clusterId !== undefined && { cluster_id: clusterId }),
      ...more,
    });
    for (const label of schedules)
      await client.pipelineSchedules.create(slug, { label, cronline: "0 3 * * *", branch: "main" });
    const levels = new Map<number, "read_only" | "manage_build_and_read">([[0, "read_only"]]);
    for (const owner of owners) levels.set(owner, "manage_build_and_read");
    for (const [team, level] of levels)
      await client.teamPipelines.create(teamIds[team] ?? "", { pipeline_id: id, access_level: level });
    if (archived) await client.pipelines.archive(slug);
  }
}
