// The figures as Markdown tables.

/** @param {import("./emulator.mjs").EmulatorFigures} figures */
export function emulatorTables({ few, many, kinds, single, throughputRatio, latencyRatio }) {
  const row = (/** @type {string} */ name, /** @type {import("./emulator.mjs").Speed} */ speed) => [
    name,
    whole(speed.readsPerSecond),
    speed.medianMs.toFixed(2),
    speed.slowestOfHundredMs.toFixed(2),
  ];
  return [
    `\nReads of one kind, 16 connections, ${few} queues, data file on:\n`,
    table(
      ["read", "reads a second", "median ms", "99th percentile ms"],
      Object.entries(kinds).map(([name, speed]) => row(name, speed)),
    ),
    "\nReads of a single queue in turns: throughput over 16 connections, latency over one:\n",
    table(
      ["queues in the organization", "reads a second", "median ms", "99th percentile ms"],
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
  const names = Object.keys(figures[0]?.commands ?? {});
  const kinds = Object.keys(figures[0]?.bytesByKind ?? {}).sort();
  const headings = figures.map(({ resources }) => `${resources} resources`);
  return [
    "\nRequests of a command (reads + writes) and its seconds on the real engine:\n",
    table(
      ["command", ...headings],
      names.map((name) => [
        name,
        ...figures.map(({ commands }) => {
          const { requests = 0, reads = 0, writes = 0, seconds = 0 } = commands[name] ?? {};
          return `${requests} (${reads} + ${writes}), ${seconds.toFixed(1)} s`;
        }),
      ]),
    ),
    "\nBytes of state for a resource, the engine's own included:\n",
    table(
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
  return [
    "\nLoading the package in a process that has the SDK already (the client: without it), fastest ms:\n",
    table(
      ["dist", "program", "provider host", "client"],
      [
        row("this checkout", own),
        ...(against === undefined ? [] : [row("the other", against)]),
        ...(ratio === undefined ? [] : [row("ratio", ratio, 2)]),
      ],
    ),
  ].join("\n");
}

/** @param {readonly import("./refusals.mjs").RefusalFigures[]} figures */
export function refusalTable(figures) {
  const [own = {}] = figures;
  return [
    "\nA refusal that keeps the client busy, fastest ms and error:\n",
    table(
      ["body of a 404", "this checkout", ...(figures.length > 1 ? ["the other"] : [])],
      Object.keys(own).map((name) => [
        name,
        ...figures.map((each) => `${(each[name]?.ms ?? 0).toFixed(1)} ${each[name]?.error}`),
      ]),
    ),
  ].join("\n");
}

/** @param {import("./backends.mjs").BackendFigures} figures */
export function backendTables({ startMs, sizes }) {
  const row = (
    /** @type {string} */ name,
    /** @type {import("./backends.mjs").OfBackends} */ { dynamic, native },
    /** @type {(value: number) => string} */ text,
  ) => [name, text(dynamic), text(native), (native / dynamic).toFixed(2)];
  const seconds = (/** @type {number} */ value) => `${value.toFixed(1)} s`;
  const columns = ["", "dynamic", "native", "native / dynamic"];
  return [
    "\nA provider's process from its start to its first answer, fastest ms:\n",
    table(columns, [row("start", startMs, whole)]),
    ...sizes.flatMap(({ resources, seconds: commands, stateBytes, bytesByKind }) => [
      `\n${whole(resources)} resources, fastest seconds, and bytes of state for a resource:\n`,
      table(columns, [
        ...Object.entries(commands).map(([name, figures]) => row(name, figures, seconds)),
        ...Object.entries(bytesByKind).map(([kind, figures]) => row(`bytes of a ${kind}`, figures, whole)),
        row("bytes on average", stateBytes, whole),
      ]),
    ]),
  ].join("\n");
}

/** @param {import("./registration.mjs").RegistrationFigures} figures */
export function registrationTable({ resources, package: own, floor }) {
  return [
    `\nA program that declares ${whole(resources)} resources, ms of processor time:\n`,
    table(
      ["this package", "floor", "package / floor"],
      [[whole(own), whole(floor), (own / floor).toFixed(2)]],
    ),
  ].join("\n");
}

/** @param {readonly import("./beside.mjs").BesideFigures[]} figures */
export function besideTables(figures) {
  const cell = (/** @type {import("./beside.mjs").CommandFigures} */ { seconds, requests }) =>
    `${seconds.toFixed(1)} s, ${requests} requests`;
  return figures
    .map(({ resources, latencyMs, commands, stateBytes, hostMegabytes }) =>
      [
        `\n${whole(resources)} resources, ${latencyMs} ms latency:\n`,
        table(
          [
            "command",
            "this package",
            "by hand",
            "floor",
            "floor that keeps and waits",
            "package / floor",
            "package / floor that keeps and waits",
          ],
          [
            ...Object.entries(commands).map(([name, figures]) => [
              name,
              ...besideCells(figures, cell, ({ seconds }) => seconds),
            ]),
            ["bytes of state for a resource", ...besideCells(stateBytes, whole, Number)],
            ["memory of the host in a preview, MB", ...besideCells(hostMegabytes, whole, Number)],
          ],
        ),
      ].join("\n"),
    )
    .join("\n");
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

/** @param {readonly import("./templates.mjs").TemplateFigures[]} figures */
export function templateTable(figures) {
  return [
    "\nA pipeline template with 20,000 keys, fastest ms:\n",
    table(
      ["dist", "check", "compare"],
      figures.map(({ checkMs, compareMs }, index) => [
        index === 0 ? "this checkout" : "the other",
        checkMs.toFixed(0),
        compareMs.toFixed(0),
      ]),
    ),
  ].join("\n");
}

/** @param {import("./large.mjs").LargeFigures} figures */
export function largeTables({ resources, checkpoints, stateMegabytes, engine }) {
  const providers = /** @type {const} */ (["dynamic", "native", "floor"]);
  return [
    `\n${whole(resources)} resources, state written ${checkpoints ? "at every step" : "once"}: ` +
      "seconds; requests; MB of memory:\n",
    table(
      ["command", ...providers],
      [
        ...Object.entries(engine).map(([name, figures]) => [
          name,
          ...providers.map((provider) => commandCell(figures[provider])),
        ]),
        ["MB of state", ...providers.map((provider) => (stateMegabytes[provider] ?? 0).toFixed(1))],
      ],
    ),
  ].join("\n");
}

/** @param {readonly import("./refreshes.mjs").RefreshFigures[]} figures */
export function refreshTable(figures) {
  const names = /** @type {import("./refreshes.mjs").Preview[]} */ (Object.keys(figures[0]?.previews ?? {}));
  return [
    `\nRequests and fastest seconds of a preview, at ${figures[0]?.latencyMs} ms latency:\n`,
    table(
      ["resources", ...names],
      figures.map(({ resources, previews }) => [
        whole(resources),
        ...names.map((name) => `${previews[name].requests}, ${previews[name].seconds.toFixed(1)} s`),
      ]),
    ),
  ].join("\n");
}

/** @param {readonly import("./state.mjs").StateFigures[]} figures */
export function stateTables(figures) {
  return figures
    .map(({ resources, bucketRequests, seconds }) => {
      const places = /** @type {import("./state.mjs").Place[]} */ (Object.keys(bucketRequests));
      return [
        `\nState of ${whole(resources)} resources in a directory and in a bucket, fastest seconds, and how many times those of the directory:\n`,
        table(
          ["command", ...places],
          [
            ...Object.entries(seconds).map(([name, own]) => [
              name,
              ...places.map(
                (place) => `${own[place].toFixed(1)} s, ${(own[place] / own.directory).toFixed(1)}`,
              ),
            ]),
            ["requests to create", ...places.map((place) => whole(bucketRequests[place]))],
          ],
        ),
      ].join("\n");
    })
    .join("\n");
}

/** @param {import("./commands.mjs").CommandsFigures} figures */
export function commandsTable({ resources, commands }) {
  return [
    `\nCommands on an organization of ${whole(resources)} resources: seconds; requests; MB of memory:\n`,
    table(
      ["command", "figures"],
      Object.entries(commands).map(([name, figures]) => [name, commandCell(figures)]),
    ),
  ].join("\n");
}

/** @param {import("./measured-command.mjs").CommandFigures | undefined} figures */
function commandCell(figures) {
  if (figures === undefined) return "–";
  const memory = Object.entries(figures.megabytes).map(([process, megabytes]) => `${process} ${megabytes}`);
  return [`${figures.seconds.toFixed(1)} s`, whole(figures.requests), memory.join(", ")].join("; ");
}

/** @param {string[]} headings @param {string[][]} rows */
function table(headings, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}

/** @param {number} value */
function whole(value) {
  return Math.round(value).toLocaleString("en-US");
}
