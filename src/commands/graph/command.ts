import { type Command, Option } from "commander";
import type { Topology } from "../../cli/drawing/topology.js";
import { commandWithVerdict, EXIT, SETTINGS_HELP, verdict } from "../../cli/terminal/command.js";
import { connected } from "../../cli/terminal/connection.js";
import { readState, writeOut } from "../../cli/terminal/files.js";
import { kindsToRead, wholeNumber } from "../../cli/terminal/options.js";
import { json, note, progress } from "../../cli/terminal/terminal.js";
import { MOST_BUILDS } from "../../cli/workload/job.js";
import { counted } from "../../shared/messages/nouns.js";

interface Flags {
  format?: "mermaid" | "svg" | "tree";
  stackExport?: string;
  out?: string;
  stack?: string;
  json: boolean;
  load: boolean;
  maxBuilds: number;
  cluster?: string;
  only?: string[];
  except?: string[];
  overview: boolean;
  access: boolean;
}

export function graphCommand(): Command {
  return commandWithVerdict("graph")
    .description(
      "Draw the clusters, queues, tokens, pipelines, templates, teams and suites of an organization or a stack.",
    )
    .addOption(
      new Option("--format <format>", "what to draw with (default: tree on a terminal, otherwise mermaid)")
        .choices(["mermaid", "svg", "tree"])
        .conflicts(["json", "access"]),
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
    .option("--only <kind...>", "draw only these resource types, and what they are in")
    .option("--except <kind...>", "leave these resource types out")
    .option("--no-overview", "draw the contents of each cluster even if there are more than 12 of them")
    .option("--access", "print a table of teams and the pipelines that each may use, and how", false)
    .option("--json", "print the topology as JSON instead of a drawing", false)
    .addHelpText(
      "after",
      `
★ marks a cluster's default queue, ⏸ a paused one, 🔑 an agent token, and the drawing explains its other signs. "← shop" beside
a queue names the pipelines whose steps name the queue. Of more than 12 clusters, the drawing is an overview:
one box for each cluster, with counts of what is in it. --cluster draws one of them in full. With --no-overview each
cluster names what matters and counts the rest. Schedules, secrets, maintainers and the access of teams are drawn if --only names
them, and the pipelines of one cluster as well. With --load, the queues and clusters with the most waiting jobs come first.
${SETTINGS_HELP}

Examples:
  buildpipeline graph > topology.mmd
  buildpipeline graph --format svg --out topology.svg
  buildpipeline graph --load --format svg --out load.svg
  buildpipeline graph --access
  buildpipeline graph --cluster Linux --format svg --out linux.svg
  pulumi stack export | buildpipeline graph --format svg --stack-export - --out topology.svg

Exit codes:
  0  drawn
  2  the command failed, or its arguments were wrong`,
    )
    .action(verdict(run));
}

async function run(given: Flags): Promise<number> {
  const flags = given.access ? { ...given, only: given.only ?? (await kindsOfAccess()) } : given;
  if (flags.load && flags.stackExport !== undefined)
    throw new Error("--load shows the live organization; leave --stack-export out.");
  const whole =
    flags.stackExport === undefined
      ? await liveTopology(flags)
      : await stackTopology(flags.stackExport, await drawnKinds(flags));
  const { topologyAsJson, topologyOfCluster } = await import("../../cli/drawing/topology.js");
  const topology = flags.cluster === undefined ? whole : topologyOfCluster(whole, flags.cluster);
  await writeOut(flags.json ? json(topologyAsJson(topology)) : await drawn(topology, flags), flags.out);
  return EXIT.clean;
}

async function drawn(
  topology: Topology,
  { overview, cluster, access, out, ...flags }: Flags,
): Promise<string> {
  if (access) return (await import("../../cli/drawing/access.js")).accessTable(topology);
  const { format = out === undefined && process.stdout.isTTY ? "tree" : "mermaid" } = flags;
  const { drawingOf, isLarge } = await import("../../cli/drawing/drawing.js");
  const drawing = drawingOf(topology, cluster === undefined && overview && isLarge(topology));
  if (format === "svg") return (await import("../../cli/drawing/svg.js")).svg(drawing);
  if (format === "tree") return (await import("../../cli/drawing/tree.js")).tree(drawing);
  const { withLegend } = await import("../../cli/drawing/signs.js");
  return (await import("../../cli/drawing/mermaid.js")).mermaid(withLegend(drawing));
}

/** Returns the pairs by which people get at what is hidden from others, and what these pairs are of. */
async function kindsOfAccess(): Promise<string[]> {
  const { accessTo, kinds } = await import("../../provider/for-commands/kinds.js");
  return [...kinds.values()].flatMap((kind) => {
    const pair = accessTo(kind);
    return pair?.parent === undefined ? [] : [kind.name, pair.name, pair.parent.kind];
  });
}

/** Returns the kinds to draw: those that need a list in each of many objects if they are asked for. */
async function drawnKinds(flags: Flags) {
  const { kindNamed, kinds, kindsInClusters, placeIn, withParents } = await import(
    "../../provider/for-commands/kinds.js"
  );
  const inClusters = kindsInClusters();
  const inOne = (name: string) => flags.cluster === undefined || inClusters.has(name);
  const { kinds: read, left } = await kindsToRead(
    flags,
    ({ name, parent, isSetting }) => !parent && !isSetting && inOne(name),
  );
  const isAsked = (name: string) => flags.only !== undefined || inOne(name);
  const drawn = [...read].filter(isAsked).flatMap((name) => kinds.get(name) ?? []);
  // The boxes around them, unless they are to be left out.
  const places = drawn.flatMap((kind) =>
    [kindNamed(placeIn(kind)?.kind ?? "") ?? [], withParents(kind)].flat(),
  );
  const around = places.flatMap(({ name }) => (flags.except?.includes(name) ? [] : [name]));
  return { kinds: new Set([...drawn.map(({ name }) => name), ...around]), left };
}

async function stackTopology(
  file: string,
  { kinds, left }: Awaited<ReturnType<typeof drawnKinds>>,
): Promise<Topology> {
  const { topologyOfResources } = await import("../../cli/drawing/topology.js");
  // A replaced object that is still to be deleted has the URN of its replacement.
  const all = (await readState(file)).resources;
  const omitted = left.filter((name) => all.some(({ kind }) => kind === name));
  if (omitted.length > 0) note(`Not drawn: ${omitted.join(", ")}. --only draws them.`);
  const resources = all
    .filter(({ kind }) => kinds.has(kind))
    .map((resource) =>
      resource.pendingDeletion
        ? { ...resource, urn: `${resource.urn} ${resource.id}`, change: "delete" as const }
        : resource,
    );
  return topologyOfResources(resources);
}

async function liveTopology(flags: Flags): Promise<Topology> {
  const { stack, load, maxBuilds, cluster } = flags;
  const { lackedInWords, lackedKinds, listOrganization, refusals } = await import(
    "../../cli/inventory/listing.js"
  );
  const { readLoad } = await import("../../cli/workload/read.js");
  const { kindsInClusters } = await import("../../provider/for-commands/kinds.js");
  const { topologyOfListing } = await import("../../cli/drawing/topology.js");
  const { isNamed } = await import("../../cli/drawing/topology.js");
  const { kinds, left } = await drawnKinds(flags);
  return connected({ stack }, async ({ client, traffic, onProgress }) => {
    const listing = await listOrganization(client, {
      kinds,
      ...(cluster !== undefined && {
        // Which cluster an agent is in follows from the queues of all of them.
        within: ({ kind, id, label }) =>
          load || !kindsInClusters().has(kind.name) || isNamed({ id, name: label }, cluster),
      }),
      onProgress,
    });
    const lacked = await lackedKinds(client, listing);
    for (const words of lackedInWords(lacked)) note(words);
    for (const { kind, error } of refusals(listing)) {
      if (lacked.includes(kind)) continue;
      if (kindsInClusters().has(kind.name) && kind.requires !== "newer API") throw error;
      note(`Without ${kind.name}: ${error.message}`);
    }
    if ([...kinds].every((kind) => listing.unread.has(kind)))
      throw new Error("Nothing was drawn, because none of the lists could be read.");
    const onPage = (what: string, items: number) => progress(`Reading ${what}: ${items}`);
    const now = load
      ? await readLoad(client, listing, { now: () => traffic.serviceTime(), mostBuilds: maxBuilds, onPage })
      : undefined;
    for (const remark of now?.remarks ?? []) note(remark);
    const { length } = listing.objects;
    note(
      `${counted(length, "object")} in ${client.organization}, read with ${counted(traffic.requests, "request")}.` +
        (left.length === 0 ? "" : ` Not drawn (--only draws them): ${left.join(", ")}.`),
    );
    return topologyOfListing(listing, now);
  });
}
