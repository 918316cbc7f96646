import { type Command, Option } from "commander";
import { counted } from "../../shared/messages/nouns.js";
import type { Topology } from "../shared/drawing/topology.js";
import { commandWithVerdict, EXIT, SETTINGS_HELP, verdict } from "../shared/terminal/command.js";
import { connect } from "../shared/terminal/connection.js";
import { readState, writeOut } from "../shared/terminal/files.js";
import { wholeNumber } from "../shared/terminal/options.js";
import { json, note, progress } from "../shared/terminal/terminal.js";
import { MOST_BUILDS } from "../shared/workload/job.js";

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
      "the stack whose configuration names the organization (default: the selected one)",
    )
    .option(
      "--load",
      "show running and waiting jobs and agents of each queue of the live organization",
      false,
    )
    .option("--max-builds <number>", "with --load: open builds to read at most", wholeNumber, MOST_BUILDS)
    .option("--cluster <name>", "draw one cluster, by its name or id, and read only its contents")
    .option("--no-overview", "draw the contents of each cluster even if there are more than 12 of them")
    .option("--json", "print the topology as JSON instead of a drawing", false)
    .addHelpText(
      "after",
      `
★ marks a cluster's default queue, ⏸ a paused one, 🔑 an agent token. Of more than 12 clusters, the drawing is an overview:
one box for each cluster, with counts of what is in it. --cluster draws one of them in full. With --no-overview each
cluster names what matters and counts the rest. With --load, the queues and clusters with the most waiting jobs come first.
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
  const { topologyAsJson, topologyOfCluster } = await import("../shared/drawing/topology.js");
  const topology = flags.cluster === undefined ? whole : topologyOfCluster(whole, flags.cluster);
  await writeOut(flags.json ? json(topologyAsJson(topology)) : await drawn(topology, flags), flags.out);
  return EXIT.clean;
}

async function drawn(topology: Topology, { format, overview, cluster }: Flags): Promise<string> {
  const { drawingOf, isLarge } = await import("../shared/drawing/drawing.js");
  const drawing = drawingOf(topology, cluster === undefined && overview && isLarge(topology));
  if (format === "svg") return (await import("../shared/drawing/svg.js")).svg(drawing);
  const { withLegend } = await import("../shared/drawing/signs.js");
  return (await import("../shared/drawing/mermaid.js")).mermaid(withLegend(drawing));
}

async function stackTopology(file: string): Promise<Topology> {
  const { topologyOfResources } = await import("../shared/drawing/topology.js");
  // A replaced object that is still to be deleted has the URN of its replacement.
  const resources = (await readState(file)).resources.map((resource) =>
    resource.pendingDeletion
      ? { ...resource, urn: `${resource.urn} ${resource.id}`, change: "delete" as const }
      : resource,
  );
  return topologyOfResources(resources);
}

async function liveTopology({ stack, load, maxBuilds, cluster }: Flags): Promise<Topology> {
  const { listOrganization, refusals } = await import("../shared/inventory/listing.js");
  const { readLoad } = await import("../shared/workload/read.js");
  const { kindsInClusters } = await import("../../provider/lifecycle/values/kinds.js");
  const { topologyOfListing } = await import("../shared/drawing/topology.js");
  const { isNamed } = await import("../shared/drawing/topology.js");
  const { client, traffic, onProgress, close } = await connect(stack);
  try {
    const listing = await listOrganization(client, {
      ...(cluster !== undefined && {
        kinds: kindsInClusters(),
        // Which cluster an agent is in follows from the queues of all of them.
        within: ({ id, label }) => load || isNamed({ id, name: label }, cluster),
      }),
      onProgress,
    });
    for (const { kind, error } of refusals(listing)) {
      if (kindsInClusters().has(kind.name)) throw error;
      note(`Without ${kind.name}: ${error.message}`);
    }
    const onPage = (what: string, items: number) => progress(`Reading ${what}: ${items}`);
    const now = load
      ? await readLoad(client, listing, { now: () => traffic.serviceTime(), mostBuilds: maxBuilds, onPage })
      : undefined;
    for (const remark of now?.remarks ?? []) note(remark);
    const { length } = listing.objects;
    note(
      `${counted(length, "object")} in ${client.organization}, read with ${counted(traffic.requests, "request")}.`,
    );
    return topologyOfListing(listing, now);
  } finally {
    await close();
  }
}
