import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Drawing, drawingOf, isLarge } from "../../../src/cli/drawing/drawing.js";
import { layOut } from "../../../src/cli/drawing/layout.js";
import { mermaid } from "../../../src/cli/drawing/mermaid.js";
import { lineOf, withLegend } from "../../../src/cli/drawing/signs.js";
import { svg } from "../../../src/cli/drawing/svg.js";
import {
  type Topology,
  type TopologyNode,
  topologyOfCluster,
  topologyOfResources,
} from "../../../src/cli/drawing/topology.js";
import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { BusyOrganization } from "../../support/busy-organization.js";
import { TEAM } from "../../support/colleague.js";
import { buildpipeline, clientOf, OBEYED, Scratch, settingsOf } from "../../support/command.js";
import { character } from "../../support/foreign-text.js";
import { recorded } from "../../support/recording.js";

/** Names that mean something to Mermaid, Markdown, HTML, XML or a terminal. */
const AWKWARD = [
  'say "hi"',
  "a`b`c",
  "%%{init: {}}%%",
  "</text><script>alert(1)</script>",
  "end",
  "1. first",
  "- item",
  "#quot; &amp; &#65;",
  "]]></style>",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a person may write it
  "${HOME} $(id)",
  "🍏👩‍💻",
  "line\r\nbreak",
  "red\u001b[31m\u009b\u202eevil",
  "\u200b",
  "|a|b|",
  "classDef x fill:#f00; click a href",
];

const organization = (
  clusters: number,
  queues: number,
  of: (queue: number) => object = () => ({}),
): Topology => ({
  organization: "acme",
  nodes: Array.from({ length: clusters }, (_, cluster) => ({
    kind: "Cluster",
    name: `Cluster ${cluster}`,
    color: "#2D9CDB",
    contents: [
      ...Array.from({ length: queues }, (_, queue) => ({
        kind: "Queue",
        name: `queue-${queue}`,
        isDefault: queue === queues - 1,
        paused: queue === queues - 2,
        contents: [],
        ...of(queue),
      })),
      { kind: "AgentToken", name: "Agents", contents: [] },
    ],
  })),
});

const withNames = (names: readonly string[]): Topology => ({
  organization: names[0] ?? "",
  nodes: [
    ...names.map((name) => ({
      kind: "Cluster",
      name,
      color: name,
      contents: [
        { kind: "Queue", name, isDefault: true, paused: true, change: "create" as const, contents: [] },
        { kind: "AgentToken", name, contents: [] },
      ],
    })),
    ...names.map((name) => ({ kind: "PipelineTemplate", name, contents: [] })),
  ],
});

/** What a line of a flowchart may be, with labels of nothing but safe characters and entity codes; Mermaid rejects an empty one. */
const LABEL = /"(?:[\p{L}\p{N}\p{M}\p{Extended_Pictographic} /,:+−±=…()-]|\u200d|#\d+;)+"/u.source;
const LINE = new RegExp(
  `^(?:flowchart LR| {2}subgraph g\\d+\\[${LABEL}\\]| {4}direction LR| {2}end` +
    ` {0}| {4}g\\d+m\\d+(?:\\[${LABEL}\\]|\\{\\{${LABEL}\\}\\}|\\(\\[${LABEL}\\]\\))(?::::\\w+)?` +
    "| {2}g\\d+(?: ~~~ g\\d+)+| {4}g\\d+m\\d+(?: ~~~ g\\d+m\\d+)+| {2}style g\\d+ [\\w:#,; -]+| {2}classDef \\w+ [\\w:#,; -]+|)$",
  "u",
);

/** A sheet for a screen is wider than high. */
function expectSheet(drawing: Drawing, widest: number, longest = Number.POSITIVE_INFINITY): void {
  const [, width = 0, height = 0] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg(drawing))?.map(Number) ?? [];
  expect(width).toBeLessThan(widest);
  expect(width / height).toBeGreaterThan(1);
  expect(width / height).toBeLessThan(longest);
}

/** Parses as XML parsers do. */
function requireXml(text: string): void {
  const script = "import sys, xml.dom.minidom as m; m.parseString(sys.stdin.buffer.read())";
  execFileSync("python3", ["-c", script], { input: text });
}

test("A rule of a stack is drawn by its pipelines' names, and by its own in the program where they are unknown", () => {
  const pipelines = ["Shop", "Deploy"].map((name) => ({
    ...{
      kind: "Pipeline",
      id: `00000000-0000-4000-8000-${String(name.length).padStart(12, "0")}`,
      urn: `urn:pulumi:a::b::c::${name}`,
    },
    ...{ properties: { name }, propertyDependencies: {} },
  }));
  const [source, target] = pipelines.map(({ id }) => id);
  const rule = {
    ...{ kind: "OrganizationRule", id: "r", urn: "urn:pulumi:a::b::c::deploys", propertyDependencies: {} },
    properties: {
      ...{ type: "pipeline.artifacts_read.pipeline", sourcePipelineId: source, targetPipelineId: target },
    },
  };
  const drawn = (resources: Parameters<typeof topologyOfResources>[0]) =>
    topologyOfResources(resources).nodes.find(({ kind }) => kind === "OrganizationRule")?.name;
  expect(drawn([...pipelines, rule])).toBe("Shop reads artifacts of Deploy");
  expect(drawn([rule])).toBe("deploys");
});

describe("A drawing", () => {
  test("is Mermaid that no name breaks", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...AWKWARD), fc.string({ unit: character })), { maxLength: 8 }),
        (names) => {
          const text = mermaid(drawingOf(withNames(names)));
          for (const line of text.split("\n")) expect(line).toMatch(LINE);
        },
      ),
    );
  });

  test("is SVG that no name breaks, without script or anything from elsewhere", async () => {
    const text = svg(drawingOf(withNames(AWKWARD)));
    requireXml(text);
    expect(text).not.toMatch(/<script|href=|url\(|@import/);
    expect(text).not.toMatch(OBEYED);
    expect(text).toContain("prefers-color-scheme:dark");
  });

  test("shows three clusters in full", async () => {
    const drawing = drawingOf(organization(3, 8));
    for (const text of [mermaid(drawing), svg(drawing)]) {
      for (let queue = 0; queue < 8; queue++)
        expect(text.match(new RegExp(`queue-${queue}\\b`, "g"))?.length).toBeGreaterThanOrEqual(3);
      expect(text).not.toContain("queues");
    }
  });

  test("of fifty clusters names what matters in each, and counts the rest", async () => {
    const drawing = drawingOf(organization(50, 8), false);
    for (const { members } of drawing.groups) {
      expect(members.map((one) => one.name)).toEqual(["queue-6", "queue-7", "and 7 more: 6 queues, 1 token"]);
    }
    // GitHub shows no Mermaid text beyond this.
    expect(mermaid(drawing).length).toBeLessThan(50_000);
    expectSheet(drawing, 2_500, 2.5);
  });

  test("of more than twelve clusters is an overview with counts, and one cluster in full", async () => {
    const large = organization(100, 45);
    expect(isLarge(organization(12, 45))).toBe(false);
    expect(isLarge(large)).toBe(true);
    const overview = drawingOf(large);
    expect(overview.groups.map(({ title }) => title)).toEqual(["Clusters"]);
    expect(overview.groups[0]?.members).toHaveLength(100);
    expect(overview.groups[0]?.members[7]).toMatchObject({
      name: "Cluster 7",
      color: "#2D9CDB",
      counts: "45 queues, 1 token, 1 paused",
    });
    for (const line of mermaid(overview).split("\n")) expect(line).toMatch(LINE);
    expect(mermaid(overview).length).toBeLessThan(20_000);
    expectSheet(overview, 2_500);
    const one = drawingOf(topologyOfCluster(large, "Cluster 7"));
    expect(one.groups.map(({ title, members }) => [title, members.length])).toEqual([["Cluster 7", 46]]);
    for (const queue of [0, 44]) expect(svg(one)).toMatch(new RegExp(`>queue-${queue}</text>`));
  });

  test("has light colors in attributes, for renderers without style sheets, and others on dark screens", () => {
    const picture = svg(drawingOf(withNames(["Linux"])));
    for (const [element] of picture.replace(/<style>.*<\/style>/s, "").matchAll(/<(?:rect|text)\b[^>]*>/g))
      expect(element).toMatch(/ fill="(?:#[0-9a-f]{3,6}|none)"/i);
    expect(picture).not.toContain("var(");
    const [, dark = ""] = /@media \(prefers-color-scheme:dark\)\{(.*)\}/s.exec(picture) ?? [];
    for (const role of ["f-text", "f-paper", "f-card", "f-member", "f-added"])
      expect(dark).toContain(`.${role}{fill:`);
    for (const role of ["s-line", "s-added"]) expect(dark).toContain(`.${role}{stroke:`);
  });

  test("explains each sign that it has, and no other", () => {
    const node = (kind: string, more: object) => ({ kind, name: "x", contents: [], ...more });
    const cluster = (...contents: TopologyNode[]): Topology => ({ nodes: [node("Cluster", { contents })] });
    for (const [topology, words] of [
      [cluster(node("Queue", { isDefault: true })), ["default queue"]],
      [cluster(node("Queue", { paused: true, change: "replace" })), ["paused", "replace"]],
      [cluster(node("AgentToken", { change: "release" })), ["agent token", "release"]],
      [
        cluster(node("Queue", { load: { running: 1, waiting: 0, agents: 1 } })),
        ["agents", "running", "waiting"],
      ],
      [cluster(node("Queue", {})), []],
    ] as const) {
      const drawing = drawingOf(topology);
      const texts = [...svg(drawing).matchAll(/>([^<>]+)<\/text>/g)].map(([, text]) => text ?? "");
      const shown = texts.filter(
        (text) => !["Organization", "x", ""].includes(text) && !text.includes("running,"),
      );
      expect(shown.filter((text) => !/^\d/.test(text)).sort()).toEqual(words);
      if (!words.some((word) => word === "agents"))
        for (const word of words) expect(mermaid(withLegend(drawing))).toContain(` ${word}"`);
    }
  });

  test("shows marks as paths, because fonts replace their characters", () => {
    const drawing = drawingOf(organization(3, 8));
    const texts = [...svg(drawing).matchAll(/>([^<>]*)<\/text>/g)].map(([, text]) => text).join("");
    expect(texts).not.toMatch(/\p{Extended_Pictographic}|★|⏸/u);
  });

  test("tells what is replaced, changed and deleted apart without color", () => {
    const frames = (["update", "replace", "delete", "create"] as const).map((change) => {
      const picture = svg(drawingOf({ nodes: [{ kind: "Team", name: "x", change, contents: [] }] }));
      const [row = ""] = picture.match(/<title>[^<]*x<\/title>.*/) ?? [];
      return row.replaceAll(/ (?:class|fill|stroke)="[^"]*"/g, "").replace(/<title>.*<\/title>/, "");
    });
    expect(new Set(frames).size).toBe(frames.length);
    expect(frames[1]?.match(/<rect x="\d/g)).toHaveLength(2);
    expect(frames[2]).toContain("stroke-dasharray");
  });

  test("cuts long names in the middle, because they differ at the end", () => {
    const name = (end: string) => `linux-production-machines-for-everything-${end}`;
    const nodes = ["eu", "us"].map((end) => ({ kind: "Team", name: name(end), contents: [] }));
    for (const text of [svg(drawingOf({ nodes })), mermaid(drawingOf({ nodes })).replaceAll("#45;", "-")])
      for (const end of ["eu", "us"]) expect(text).toMatch(new RegExp(`linux-product.*-${end}`));
    expect(svg(drawingOf({ nodes }))).toContain(">linux-production-…or-everything-us</text>");
  });

  test("places nothing over anything else, and every member inside of its group", () => {
    const { groups, width, height } = layOut(drawingOf(organization(30, 11), false));
    type Box = { x: number; y: number; width: number; height: number };
    const isBeside = (one: Box, other: Box) => one.x + one.width <= other.x || one.y + one.height <= other.y;
    const apart = (boxes: readonly Box[]) =>
      boxes.every((one) =>
        boxes.every((other) => one === other || isBeside(one, other) || isBeside(other, one)),
      );
    expect(apart(groups)).toBe(true);
    for (const group of groups) {
      expect(group.x + group.width).toBeLessThanOrEqual(width);
      expect(group.y + group.height).toBeLessThanOrEqual(height);
      expect(apart(group.members)).toBe(true);
      for (const member of group.members) {
        expect(member.x + member.width).toBeLessThanOrEqual(group.width);
        expect(member.y + member.height).toBeLessThanOrEqual(group.height);
      }
    }
  });
});

describe("buildpipeline graph", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator({ seed: false });
  });
  afterEach(() => emulator.close());

  test("draws the live organization from its lists", async () => {
    const client = clientOf(emulator);
    const { id } = await client.clusters.create({ name: "Linux", color: "#2D9CDB" });
    const small = await client.queues.create(id, { key: "small" });
    const large = await client.queues.create(id, { key: "large" });
    await client.clusters.update(id, { default_queue_id: small.id });
    await client.queues.pauseDispatch(id, large.id, {});
    await client.agentTokens.create(id, { description: "Build machines" });
    await client.close();
    emulator.clearRequests();
    const { code, stdout } = await buildpipeline(["graph", "--json"], { env: settingsOf(emulator) });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      organization: "acme",
      clusters: [
        {
          name: "Linux",
          color: "#2D9CDB",
          queues: [
            { name: "small", isDefault: true, paused: false },
            { name: "large", isDefault: false, paused: true },
          ],
          agentTokens: [{ name: "Build machines" }],
        },
      ],
      pipelineTemplates: [],
      teams: [],
      suites: [],
    });
    expect(emulator.requests.filter(({ operation }) => !operation?.endsWith(".list"))).toEqual([]);
  });

  test("draws one cluster of many, and reads no other", async () => {
    const client = clientOf(emulator);
    for (let index = 0; index < 13; index++) {
      const { id } = await client.clusters.create({ name: `Cluster ${index}` });
      await client.queues.create(id, { key: `queue-${index}` });
    }
    await client.close();
    const env = settingsOf(emulator);
    const overview = await buildpipeline(["graph"], { env });
    expect(overview.stdout).toContain("Cluster 12 #183; 1 queue");
    expect((await buildpipeline(["graph", "--no-overview"], { env })).stdout).toContain("queue-12");
    emulator.clearRequests();
    const one = await buildpipeline(["graph", "--cluster", "Cluster 7", "--json"], { env });
    expect(JSON.parse(one.stdout).clusters).toEqual([
      { name: "Cluster 7", queues: [{ name: "queue-7", isDefault: false, paused: false }], agentTokens: [] },
    ]);
    expect(emulator.requests).toHaveLength(3);
    const none = await buildpipeline(["graph", "--cluster", "Cluster 70"], { env });
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toContain(
      'There is no cluster "Cluster 70", so nothing was drawn. Give --cluster one of these names, or an id: "Cluster 0"',
    );
  });

  test("names pipelines beside the queues that their steps name, and shows who may do what", async () => {
    const client = clientOf(emulator);
    const { id } = await client.clusters.create({ name: "Linux" });
    await client.queues.create(id, { key: "small" });
    const using = (queue: string) => `steps: [{ command: make, agents: { queue: ${queue} } }]`;
    const make = (name: string, queue: string) =>
      client.pipelines.create({
        name,
        repository: `git@github.com:acme/${name}.git`,
        cluster_id: id,
        configuration: using(queue),
      });
    const [shop] = await Promise.all(["shop", "etl"].map((name) => make(name, "small")));
    await make("lost", "gone");
    const team = await client.teams.create({ ...TEAM, name: "Web" });
    await client.teamPipelines.create(String(team.id), {
      pipeline_id: String(shop?.id),
      access_level: "read_only",
    });
    await client.close();
    const env = settingsOf(emulator);
    const { stdout } = await buildpipeline(["graph", "--format", "tree"], { env });
    expect(stdout).toMatch(/^acme\n├─ Linux\n│ {2}├─ small ← (shop, etl|etl, shop)\n│ {2}└─ ▷ lost\n/);
    expect(stdout).toContain("▷ pipeline\n");
    const access = await buildpipeline(["graph", "--access"], { env });
    expect(access.stdout).toBe("acme  Web\nshop  r\n\nr read_only\n");
  });

  test("draws an object without a name by its id, because a blank line says nothing", async () => {
    const client = clientOf(emulator);
    const url = "https://ci.example.com/events";
    const hook = { provider: "webhook", scope: "all", settings: { url } };
    const { id } = await client.notificationServices.create(hook);
    await client.close();
    const { stdout } = await buildpipeline(["graph", "--format", "tree"], { env: settingsOf(emulator) });
    expect(stdout).toContain(`─ ${id}\n`);
    expect(stdout).not.toMatch(/[├└]─\s*$/m);
  });

  test("draws a stack without settings and without the service, the same way each time", async () => {
    const args = ["graph", "--stack-export", recorded("stack-export")];
    const first = await buildpipeline(args);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(/subgraph g\d+\["Linux"\]/);
    expect(first.stdout).toContain("#9733; small");
    const piped = await buildpipeline(["graph", "--stack-export", "-"], {
      input: readFileSync(recorded("stack-export")),
    });
    expect(piped.stdout).toBe(first.stdout);
  });

  test("writes a picture to the file of --out and nothing to standard output", async () => {
    const scratch = new Scratch();
    onTestFinished(() => scratch.remove());
    const out = scratch.path("topology.svg");
    const args = ["graph", "--format", "svg", "--stack-export", recorded("stack-export"), "--out", out];
    expect(await buildpipeline(args)).toMatchObject({ code: 0, stdout: "" });
    const picture = readFileSync(out, "utf8");
    requireXml(picture);
    expect(picture).toContain("Old machines");
  });

  test.each([
    [["--format", "png"], /mermaid, svg, tree/],
    [["--stack-export", "/dev/null"], /is not JSON/],
    [["--stack-export", recorded("stack-export"), "--out", "/dev/full"], /\/dev\/full cannot be written: /],
    [[], /BUILDPIPELINE_ACCESS_TOKEN/],
    [["--stack-export", recorded("preview")], /is not what `pulumi stack export` prints/],
  ])("ends with exit code 2 for %j", async (args, message) => {
    const { code, stdout, stderr } = await buildpipeline(["graph", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test("goes on without what the access token may not list, and says so", async () => {
    const accessToken = emulator.createAccessToken({ scopes: ["read_clusters"] });
    const { code, stderr } = await buildpipeline(["graph"], { env: settingsOf(emulator, accessToken) });
    expect(code).toBe(0);
    for (const kind of ["PipelineTemplate", "Team", "Suite"]) expect(stderr).toContain(`Without ${kind}: `);
    const none = await buildpipeline(["graph", "--json", "--only", "Team", "Suite"], {
      env: settingsOf(emulator, accessToken),
    });
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toMatch(
      /Without Team: .*\n.*Nothing was drawn, because none of the lists could be read\.\n$/s,
    );
  });
});

describe("buildpipeline graph --load", () => {
  let busyOne: BusyOrganization;
  beforeEach(async () => {
    busyOne = await BusyOrganization.start();
    const { queues, emulator } = busyOne;
    busyOne.connect(queues.small, 3);
    busyOne.connect(queues.two);
    await busyOne.build("storefront", 2);
    await busyOne.build("api", 4);
    await busyOne.build("release", 1);
    emulator.dispatchJobs();
  });
  afterEach(() => busyOne.close());

  const graph = (...args: readonly string[]) =>
    buildpipeline(["graph", "--load", ...args], { env: settingsOf(busyOne.emulator) });

  test("shows what runs and waits in each queue, and its agents", async () => {
    const { code, stdout, stderr } = await graph("--json");
    expect(code).toBe(0);
    const queues = JSON.parse(stdout).clusters.flatMap(
      ({ queues: own }: { queues: { name: string; load: object }[] }) =>
        own.map(({ name, load }) => [name, load]),
    );
    expect(Object.fromEntries(queues)).toEqual({
      small: { running: 3, waiting: 3, agents: 3 },
      large: { running: 0, waiting: 1, agents: 0 },
      one: { running: 0, waiting: 0, agents: 0 },
      two: { running: 0, waiting: 0, agents: 1 },
      three: { running: 0, waiting: 0, agents: 0 },
    });
    expect(stderr).toMatch(/Jobs read at \d{4}-/);
    for (const [format, words] of [
      ["svg", "★ small · 3 running, 3 waiting, 3 agents"],
      ["mermaid", "small · 3 running, 3 waiting, 3 agents"],
    ] as const)
      expect((await graph("--format", format)).stdout.replaceAll("#183;", "·")).toContain(words);
  });

  test("draws no agent that could be in two clusters, and counts it", async () => {
    await busyOne.client.queues.create(busyOne.old, { key: "small" });
    const { stdout, stderr } = await graph("--json");
    expect(JSON.parse(stdout).clusters[0].queues[0].load).toEqual({ running: 3, waiting: 3, agents: 3 });
    busyOne.connect(busyOne.queues.small);
    busyOne.emulator.finishJobs();
    const idle = await graph("--json");
    expect(JSON.parse(idle.stdout).clusters[0].queues[0].load).toMatchObject({ agents: 0 });
    expect(idle.stderr).toContain("4 connected agents are not drawn");
    expect(stderr).not.toContain("not drawn");
  });

  test("counts an agent once that moves to another page while the pages are read", async () => {
    const emulator = await startEmulator({ seed: false, variations: { largestPage: 2 } });
    onTestFinished(() => emulator.close());
    const make = (operation: string, id: string, body: object) =>
      Object(emulator.perform(operation, { params: { cluster_id: id }, body }).body).id;
    const queueId = make("queues.create", make("clusters.create", "", { name: "Linux" }), { key: "small" });
    const [first] = Array.from({ length: 4 }, () => emulator.connectAgent({ queueId }));
    const id = first?.id ?? "";
    emulator.disconnectAgent(id);
    let pages = 0;
    emulator.onRequest(({ operation }) => {
      if (operation === "agents.list") pages += 1;
      // Before the last page of the second read.
      if (pages === 4) emulator.connectAgent({ id });
    });
    const { stdout } = await buildpipeline(["graph", "--load", "--json"], { env: settingsOf(emulator) });
    expect(JSON.parse(stdout).clusters[0].queues[0].load).toMatchObject({ agents: 3 });
  });

  test("without read_builds draws the organization, and names the scope", async () => {
    const scopes = ["read_clusters", "read_agents", "read_teams", "read_suites", "read_pipeline_templates"];
    const token = busyOne.emulator.createAccessToken({ scopes });
    const { code, stdout, stderr } = await buildpipeline(["graph", "--load"], {
      env: settingsOf(busyOne.emulator, token),
    });
    expect(code).toBe(0);
    expect(stdout).toContain("small");
    expect(stderr).toContain("Jobs are missing: the access token lacks the scope read_builds.");
  });

  test("puts what waits most first, says when it was read, and warns where no agent is", async () => {
    const { stdout } = await graph("--format", "svg");
    const titles = [...stdout.matchAll(/<title>(?:★ )?(\w+) · /g)].map(([, name]) => name);
    expect(titles.slice(0, 2)).toEqual(["small", "large"]);
    expect(stdout).toMatch(/>Jobs and agents at \d{4}-\d\d-\d\d \d\d:\d\d UTC<\/text>/);
    expect(stdout.match(/font-weight="700"[^>]*>0 agents</g)).toHaveLength(1);
    expect(stdout).toContain(">idle, <tspan>0 agents<");
    busyOne.emulator.fault({ operation: "agents.list", action: { status: 403 } });
    expect((await graph("--format", "svg")).stdout).toContain("UTC, not all of them could be read<");
  });

  test("of fifty clusters names the busiest queues", () => {
    const loadOf = (queue: number) => (queue === 3 ? [5, 9, 2] : [0, queue === 4 ? 1 : 0, 0]);
    const drawing = drawingOf(
      organization(50, 8, (queue) => {
        const [running, waiting, agents] = loadOf(queue);
        return { load: { running, waiting, agents }, paused: false };
      }),
      false,
    );
    for (const { members } of drawing.groups) {
      expect(members.map((member) => lineOf(member))).toEqual([
        "queue-3 · 5 running, 9 waiting, 2 agents",
        "queue-4 · 0 running, 1 waiting, 0 agents",
        "and 7 more: 6 queues, 1 token",
      ]);
    }
    expectSheet(drawing, 4_000);
    expect(mermaid(drawing).length).toBeLessThan(50_000);
  });
});
