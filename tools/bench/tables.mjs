// The figures as Markdown tables.

/** @typedef {import("./turns.mjs").CommandFigures} CommandFigures */

/** @param {import("./emulator.mjs").EmulatorFigures} figures */
export function emulatorTables({ few, many, kinds, single, throughputRatio, latencyRatio }) {
  const columns = ["reads a second", "median ms", "99th percentile ms"];
  const row = (/** @type {string} */ name, /** @type {import("./emulator.mjs").Speed} */ speed) => [
    name,
    whole(speed.readsPerSecond),
    speed.medianMs.toFixed(2),
    speed.slowestOfHundredMs.toFixed(2),
  ];
  return [
    table(
      `Reads of one kind, 16 connections, ${few} queues, data file on`,
      ["read", ...columns],
      Object.entries(kinds).map(([name, speed]) => row(name, speed)),
    ),
    table(
      "Reads of a single queue in turns: throughput over 16 connections, latency over one",
      ["queues in the organization", ...columns],
      [
        row(whole(few), single.few),
        row(whole(many), single.many),
        ["ratio", throughputRatio.toFixed(2), latencyRatio.toFixed(2), ""],
      ],
    ),
  ].join("\n");
}

/** @param {readonly import("./engine.mjs").EngineFigures[]} figures */
export function engineTables(figures) {
  const kinds = Object.keys(figures[0]?.bytesByKind ?? {}).sort();
  const headings = figures.map(({ resources }) => `${resources} resources`);
  return [
    table(
      "Requests of a command (reads + writes) and its seconds on the real engine",
      ["command", ...headings],
      Object.keys(figures[0]?.commands ?? {}).map((name) => [
        name,
        ...figures.map(({ commands }) => {
          const { requests = 0, reads = 0, writes = 0, seconds = 0 } = commands[name] ?? {};
          return `${requests} (${reads} + ${writes}), ${inSeconds(seconds)}`;
        }),
      ]),
    ),
    table(
      "Bytes of state for a resource, the engine's own included",
      ["resource", ...headings],
      [
        ...kinds.map((kind) => [kind, ...figures.map((each) => whole(each.bytesByKind[kind] ?? 0))]),
        ["all, on average", ...figures.map(({ stateBytes }) => whole(stateBytes))],
        ["`__provider` in each", ...figures.map(({ providerBytes }) => whole(providerBytes))],
      ],
    ),
  ].join("\n");
}

/** @param {import("./startup.mjs").StartupFigures} figures */
export function startupTable({ own, against, ratio }) {
  const row = (
    /** @type {string} */ name,
    /** @type {import("./startup.mjs").StartupTimes} */ { program, host, client },
    digits = 1,
  ) => [name, ...[program, host, client].map((value) => value.toFixed(digits))];
  return table(
    "Loading the package in a process that has the SDK already (the client: without it), fastest ms",
    ["dist", "program", "provider host", "client"],
    [
      row("this checkout", own),
      ...(against === undefined ? [] : [row("the other", against)]),
      ...(ratio === undefined ? [] : [row("ratio", ratio, 2)]),
    ],
  );
}

/** @param {readonly import("./refusals.mjs").RefusalFigures[]} figures */
export function refusalTable(figures) {
  return table(
    "A refusal that keeps the client busy, fastest ms and error",
    ["body of a 404", "this checkout", ...(figures.length > 1 ? ["the other"] : [])],
    Object.keys(figures[0] ?? {}).map((name) => [
      name,
      ...figures.map((each) => `${(each[name]?.ms ?? 0).toFixed(1)} ${each[name]?.error}`),
    ]),
  );
}

/** @param {import("./backends.mjs").BackendFigures} figures */
export function backendTables({ startMs, sizes }) {
  const row = (
    /** @type {string} */ name,
    /** @type {import("./backends.mjs").OfBackends} */ { dynamic, native },
    text = whole,
  ) => [name, text(dynamic), text(native), (native / dynamic).toFixed(2)];
  const columns = ["", "dynamic", "native", "native / dynamic"];
  return [
    table("A provider's process from its start to its first answer, fastest ms", columns, [
      row("start", startMs),
    ]),
    ...sizes.map(({ resources, commands, stateBytes, bytesByKind }) =>
      table(`${whole(resources)} resources, fastest seconds, and bytes of state for a resource`, columns, [
        ...Object.entries(commands).map(([name, { dynamic, native }]) =>
          row(name, { dynamic: dynamic.seconds, native: native.seconds }, inSeconds),
        ),
        ...Object.entries(bytesByKind).map(([kind, figures]) => row(`bytes of a ${kind}`, figures)),
        row("bytes on average", stateBytes),
      ]),
    ),
  ].join("\n");
}

/** @param {import("./registration.mjs").RegistrationFigures} figures */
export function registrationTable({ resources, package: own, floor }) {
  return table(
    `A program that declares ${whole(resources)} resources, ms of processor time`,
    ["this package", "floor", "package / floor"],
    [[whole(own), whole(floor), (own / floor).toFixed(2)]],
  );
}

/** @param {readonly import("./beside.mjs").BesideFigures[]} figures */
export function besideTables(figures) {
  const cell = (/** @type {CommandFigures} */ { seconds, requests }) =>
    `${inSeconds(seconds)}, ${requests} requests`;
  const names = ["this package", "by hand", "floor", "floor that keeps and waits"];
  const ratios = ["package / floor", "package / floor that keeps and waits"];
  return figures
    .map(({ resources, latencyMs, commands, stateBytes, hostMegabytes }) =>
      table(
        `${whole(resources)} resources, ${latencyMs} ms latency`,
        ["command", ...names, ...ratios],
        [
          ...Object.entries(commands).map(([name, figures]) => [
            name,
            ...besideCells(figures, cell, ({ seconds }) => seconds),
          ]),
          ["bytes of state for a resource", ...besideCells(stateBytes, whole, Number)],
          ["memory of the host in a preview, MB", ...besideCells(hostMegabytes, whole, Number)],
        ],
      ),
    )
    .join("\n");
}

/** @param {import("./slopes.mjs").SlopeFigures} figures */
export function slopeTable({ sizes: [few = 0, many = 0], latencyMs, stateBytes, slopes }) {
  return table(
    `Milliseconds that one further resource costs, from ${whole(few)} to ${whole(many)}, ${latencyMs} ms latency`,
    ["command", "time or process", ...OF_SLOPES],
    [
      ...slopes
        .filter((slope) => !Number.isNaN(slope.ms.package))
        .map(({ command, what, ms }) => [
          command,
          what === "time" ? what : `processor, ${what}`,
          ...slopeCells(ms, (one) => one.toFixed(1)),
        ]),
      ["bytes of state", "", ...slopeCells(stateBytes, whole)],
    ],
  );
}

const OF_SLOPES = ["this package", "floor", "ratio", "floor that keeps and waits", "ratio"];

/** @param {Record<import("./slopes.mjs").Provider, number>} of @param {(one: number) => string} text */
function slopeCells(of, text) {
  const { package: own, floor, "floor that keeps and waits": keeping } = of;
  return [text(own), text(floor), (own / floor).toFixed(2), text(keeping), (own / keeping).toFixed(2)];
}

/**
 * The cells of a row, and the ratios at its end.
 *
 * @template Figure @param {Record<import("./beside.mjs").Provider, Figure>} figures
 * @param {(figure: Figure) => string} text @param {(figure: Figure) => number} amount
 */
function besideCells(figures, text, amount) {
  const { package: own, floor, "floor that keeps and waits": same } = figures;
  return [
    ...[own, figures["by hand"], floor, same].map(text),
    ...[floor, same].map((other) => (amount(own) / amount(other)).toFixed(2)),
  ];
}

/** @param {import("./pipelines.mjs").PipelineFigures} figures */
export function pipelineTables({ pipelines, latencyMs, commands, stateBytes }) {
  /** @type {(row: { package: number, floor: number, "floor that keeps and waits": number }) => string[]} */
  const ratios = ({ package: own, floor, "floor that keeps and waits": same }) =>
    [floor, same].map((other) => (own / other).toFixed(2));
  return table(
    `${whole(pipelines)} pipelines with a schedule each, ${latencyMs} ms latency`,
    ["command", "requests", "package / floor 1", "package / floor 2"],
    [
      ...Object.entries(commands).map(
        ([name, { package: own, floor, "floor that keeps and waits": same }]) => [
          name,
          whole(own.requests),
          ...ratios({
            package: own.seconds,
            floor: floor.seconds,
            "floor that keeps and waits": same.seconds,
          }),
        ],
      ),
      ["bytes of state for a resource", "", ...ratios(stateBytes)],
    ],
  );
}

/** @param {readonly import("./templates.mjs").TemplateFigures[]} figures */
export function templateTable(figures) {
  return table(
    "A pipeline template with 20,000 keys, fastest ms",
    ["dist", "check", "compare"],
    figures.map(({ checkMs, compareMs }, index) => [
      index === 0 ? "this checkout" : "the other",
      whole(checkMs),
      whole(compareMs),
    ]),
  );
}

/** @param {import("./large.mjs").LargeFigures} figures */
export function largeTables({ resources, checkpoints, stateMegabytes, engine }) {
  const providers = /** @type {const} */ (["dynamic", "native", "floor"]);
  const written = checkpoints ? "at every step" : "once";
  return table(
    `${whole(resources)} resources, state written ${written}: seconds; requests; MB of memory`,
    ["command", ...providers],
    [
      ...Object.entries(engine).map(([name, figures]) => [
        name,
        ...providers.map((provider) => commandCell(figures[provider])),
      ]),
      ["MB of state", ...providers.map((provider) => (stateMegabytes[provider] ?? 0).toFixed(1))],
    ],
  );
}

/** @param {readonly import("./refreshes.mjs").RefreshFigures[]} figures */
export function refreshTable(figures) {
  return table(
    `Requests and fastest seconds of a preview, at ${figures[0]?.latencyMs} ms latency`,
    ["resources", ...Object.keys(figures[0]?.commands ?? {})],
    figures.map(({ resources, commands }) => [
      whole(resources),
      ...Object.values(commands).map(({ own }) => `${own.requests}, ${inSeconds(own.seconds)}`),
    ]),
  );
}

/** @param {readonly import("./state.mjs").StateFigures[]} figures */
export function stateTables(figures) {
  return figures
    .map(({ resources, bucketRequests, commands }) => {
      const places = /** @type {import("./state.mjs").Place[]} */ (Object.keys(bucketRequests));
      return table(
        `State of ${whole(resources)} resources in a directory and in a bucket, fastest seconds, and how many times those of the directory`,
        ["command", ...places],
        [
          ...Object.entries(commands).map(([name, own]) => [
            name,
            ...places.map((place) => {
              const ratio = own[place].seconds / own.directory.seconds;
              return `${inSeconds(own[place].seconds)}, ${ratio.toFixed(1)}`;
            }),
          ]),
          ["requests to create", ...places.map((place) => whole(bucketRequests[place]))],
        ],
      );
    })
    .join("\n");
}

/** @param {import("./commands.mjs").CommandsFigures} figures */
export function commandsTable({ resources, commands }) {
  return tableOfCommands(`an organization of ${whole(resources)} resources`, commands);
}

/** @param {import("./adopted.mjs").AdoptedFigures} figures */
export function adoptedTable({ pipelines, commands }) {
  return tableOfCommands(`${whole(pipelines)} pipelines, each with a schedule and a team`, commands);
}

/** @param {import("./impact.mjs").ImpactFigures} figures */
export function impactTable({ jobs, agents, commands }) {
  return tableOfCommands(`an organization with ${whole(jobs)} open jobs and ${agents} agents`, commands);
}

/** @param {string} place @param {import("./commands.mjs").CommandsFigures["commands"]} commands */
function tableOfCommands(place, commands) {
  return table(
    `Commands on ${place}: seconds; requests; MB of memory`,
    ["command", "figures"],
    Object.entries(commands).map(([name, figures]) => [name, commandCell(figures)]),
  );
}

/** @param {import("./measured-command.mjs").CommandFigures | undefined} figures */
function commandCell(figures) {
  if (figures === undefined) return "–";
  const memory = Object.entries(figures.megabytes).map(([process, megabytes]) => `${process} ${megabytes}`);
  return [inSeconds(figures.seconds), whole(figures.requests), memory.join(", ")].join("; ");
}

/** @param {string} title @param {readonly string[]} headings @param {readonly (readonly string[])[]} rows */
function table(title, headings, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(" | ")} |`;
  return [`\n${title}:\n`, line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}

/** @param {number} value */
function whole(value) {
  return Math.round(value).toLocaleString("en-US");
}

/** @param {number} value */
function inSeconds(value) {
  return `${value.toFixed(1)} s`;
}
