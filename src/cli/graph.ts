import { type Command, Option } from "commander";
import { readStackExport } from "../inventory/stack-export.js";
import type { Topology } from "../topology/topology.js";
import { commandWithVerdict, EXIT, SETTINGS_HELP, verdict } from "./command.js";
import { readJson, writeOut } from "./files.js";
import { json, note, progress } from "./terminal.js";

interface Flags {
  format: "mermaid" | "svg";
  stackExport?: string;
  out?: string;
  stack?: string;
  json: boolean;
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
    .option("--json", "print the topology as JSON instead of a drawing", false)
    .addHelpText(
      "after",
      `
★ marks a cluster's default queue, ⏸ a paused one, 🔑 an agent token. Where there is too much for one drawing, each
group names what matters and counts the rest.
${SETTINGS_HELP}

Examples:
  buildpipeline graph > topology.mmd
  buildpipeline graph --format svg --out topology.svg
  pulumi stack export | buildpipeline graph --format svg --stack-export - --out topology.svg

Exit codes:
  0  drawn
  2  the command could not do its work, or was called wrongly`,
    )
    .action(verdict(run));
}

async function run(flags: Flags): Promise<number> {
  const topology =
    flags.stackExport === undefined ? await liveTopology(flags) : await stackTopology(flags.stackExport);
  await writeOut(flags.json ? json(topology) : await drawn(topology, flags.format), flags.out);
  return EXIT.clean;
}

async function drawn(topology: Topology, format: Flags["format"]): Promise<string> {
  const { drawingOf } = await import("../topology/drawing.js");
  const drawing = drawingOf(topology);
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

async function liveTopology({ stack }: Flags): Promise<Topology> {
  const { connect } = await import("./connection.js");
  const { listOrganization } = await import("../inventory/listing.js");
  const { topologyOfListing } = await import("../topology/of-listing.js");
  const { client, traffic, close } = await connect(stack);
  try {
    const listing = await listOrganization(client, {
      onProgress: ({ done, of }) => progress(`Clusters read: ${done} of ${of}`),
    });
    const cluster = listing.refused.get("Cluster");
    if (cluster !== undefined) throw cluster;
    for (const [kind, error] of listing.refused) note(`Without ${kind}: ${error.message}`);
    note(
      `${listing.objects.length} objects in ${client.organization}, read with ${traffic.requests} requests.`,
    );
    return topologyOfListing(listing);
  } finally {
    await close();
  }
}
