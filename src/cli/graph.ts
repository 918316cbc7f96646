import { type Command, Option } from "commander";
import type { BuildPipelineClient } from "../client/index.js";
import type { Listing } from "../inventory/listing.js";
import { readStackExport } from "../inventory/stack-export.js";
import { MOST_BUILDS } from "../load/bounds.js";
import type { OrganizationLoad } from "../load/by-queue.js";
import type { Topology } from "../topology/topology.js";
import { commandWithVerdict, EXIT, SETTINGS_HELP, verdict } from "./command.js";
import { readJson, writeOut } from "./files.js";
import { json, note, progress } from "./terminal.js";
import { wholeNumber } from "./whole-number.js";

interface Flags {
  format: "mermaid" | "svg";
  stackExport?: string;
  out?: string;
  stack?: string;
  json: boolean;
  load: boolean;
  maxBuilds: number;
  cluster?: string;
  overview: boolean;
}

/** `buildpipeline graph`: a drawing of an organization. */
export function graphCommand(): Command {
  return commandWithVerdict("graph")
    .description(
      "Draw the clusters, queues, tokens, templates, teams and suites of an organization or a stack.",
    )
    .addOption(
      new Option("--format <format>", "what to draw with").choices(["mermaid", "svg"]).default("mermaid"),
    )
    .option(
      "--stack-export <file>",
      "draw a stack, from what `pulumi stack export` printed; - for standard input (default: the live organization)",
    )
    .option("--out <file>", "write to a file (default: standard output)")
    .option(
      "--stack <name>",
      "the stack whose configuration leads to the organization (default: the selected one)",
    )
    .option(
      "--load",
      "show running and waiting jobs and agents of each queue of the live organization",
      false,
    )
    .addOption(
      new Option("--max-builds <number>", "with --load: open builds to read at most")
        .default(MOST_BUILDS)
        .argParser(wholeNumber),
    )
    .option("--cluster <name>", "draw one cluster, by its name or id, and read only what is in it")
    .option("--no-overview", "draw what is in each cluster even if there are more than 12 of them")
    .option("--json", "print the topology as JSON instead of a drawing", false)
    .addHelpText(
      "after",
      `
★ marks a cluster's default queue, ⏸ a paused one, 🔑 an agent token. Of more than 12 clusters, the drawing is an overview:
one box for each cluster, with counts of what is in it. --cluster draws one of them in full. With --no-overview each
cluster names what matters and counts the rest.
${SETTINGS_HELP}

Examples:
  buildpipeline graph > topology.mmd
  buildpipeline graph --format svg --out topology.svg
  buildpipeline graph --load --format svg --out load.svg
  buildpipeline graph --cluster Linux --format svg --out linux.svg
  pulumi stack export | buildpipeline graph --format svg --stack-export - --out topology.svg

Exit codes:
  0  drawn
  2  the command failed, or its arguments were wrong`,
    )
    .action(verdict(run));
}

async function run(flags: Flags): Promise<number> {
  if (flags.load && flags.stackExport !== undefined)
    throw new Error("--load shows the live organization; leave --stack-export out.");
  const whole =
    flags.stackExport === undefined ? await liveTopology(flags) : await stackTopology(flags.stackExport);
  const { topologyOfCluster } = await import("../topology/one-cluster.js");
  const topology = flags.cluster === undefined ? whole : topologyOfCluster(whole, flags.cluster);
  const { topologyAsJson } = await import("../topology/json.js");
  await writeOut(flags.json ? json(topologyAsJson(topology)) : await drawn(topology, flags), flags.out);
  return EXIT.clean;
}

/** What the queues of an organization do now. */
async function readLoads(
  client: BuildPipelineClient,
  { objects }: Listing,
  mostBuilds: number,
  now: () => Date,
): Promise<OrganizationLoad["queues"]> {
  const { readAgents, readJobs } = await import("../load/read.js");
  const { loadByQueue } = await import("../load/by-queue.js");
  const options = {
    now,
    mostBuilds,
    onPage: (what: string, items: number) => progress(`Reading ${what}: ${items}`),
  };
  const [jobs, agents] = await Promise.all([readJobs(client, options), readAgents(client, options)]);
  for (const [what, { extent, unread }] of [
    ["Jobs", jobs],
    ["Agents", agents],
  ] as const) {
    if (unread !== undefined)
      note(`${what} are ${extent === "partial" ? "read in part" : "missing"}: ${unread.reason}.`);
    else if (extent === "partial")
      note("There are more open builds than were read, so figures are the least there is.");
  }
  if (jobs.extent === "missing") return new Map();
  const queues = objects.flatMap((object) =>
    object.kind.name === "Queue"
      ? [
          {
            id: object.id,
            key: object.label,
            clusterId: object.parent?.id ?? "",
            isDefault: object.parent?.observed.defaultQueueId === object.id,
          },
        ]
      : [],
  );
  const load = loadByQueue(queues, jobs.items, agents.extent === "missing" ? undefined : agents.items, now());
  if (load.unplacedJobs > 0) note(`${load.unplacedJobs} open jobs belong to no queue that is drawn.`);
  if (load.unplacedAgents > 0)
    note(
      `${load.unplacedAgents} connected agents are not drawn: the API does not show an agent's cluster, and their tags fit no queue or several.`,
    );
  note(`Jobs read at ${jobs.at}, agents at ${agents.at}.`);
  return load.queues;
}

async function drawn(topology: Topology, { format, overview, cluster }: Flags): Promise<string> {
  const { drawingOf } = await import("../topology/drawing.js");
  const { isLarge, overviewOf } = await import("../topology/overview.js");
  const drawing =
    cluster === undefined && overview && isLarge(topology)
      ? overviewOf(topology)
      : drawingOf(topology, { inFull: cluster !== undefined });
  if (format === "mermaid") return (await import("../topology/mermaid.js")).mermaid(drawing);
  return (await import("../topology/svg.js")).svg(drawing);
}

async function stackTopology(file: string): Promise<Topology> {
  const value = await readJson(file);
  const { topologyOfResources } = await import("../topology/of-resources.js");
  let resources: ReturnType<typeof readStackExport>;
  try {
    resources = readStackExport(value);
  } catch (error) {
    throw new Error(`${file} ${error instanceof Error ? error.message : String(error)}`);
  }
  return topologyOfResources(resources.filter(({ pendingDeletion }) => !pendingDeletion));
}

async function liveTopology({ stack, load, maxBuilds, cluster: wanted }: Flags): Promise<Topology> {
  const { connect } = await import("./connection.js");
  const { listOrganization } = await import("../inventory/listing.js");
  const { topologyOfListing } = await import("../topology/of-listing.js");
  const { isNamed } = await import("../topology/one-cluster.js");
  const { kindsInClusters } = await import("../topology/kinds.js");
  const { client, traffic, onProgress, close } = await connect(stack);
  try {
    const listing = await listOrganization(client, {
      ...(wanted !== undefined && {
        kinds: kindsInClusters(),
        // Which cluster an agent is in follows from the queues of all of them.
        within: ({ id, label }) => load || isNamed({ id, name: label }, wanted),
      }),
      onProgress,
    });
    const cluster = listing.refused.get("Cluster");
    if (cluster !== undefined) throw cluster;
    for (const [kind, error] of listing.refused) note(`Without ${kind}: ${error.message}`);
    const loads = load ? await readLoads(client, listing, maxBuilds, () => traffic.serviceTime()) : undefined;
    note(
      `${listing.objects.length} objects in ${client.organization}, read with ${traffic.requests} requests.`,
    );
    return topologyOfListing(listing, loads);
  } finally {
    await close();
  }
}
