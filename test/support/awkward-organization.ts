// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are names and texts that look like code.
import type { BuildPipelineClient } from "../../src/client/index.js";
import { TEAM } from "./colleague.js";

export interface Sizes {
  readonly clusters: number;
  readonly queues: number;
  readonly tokens: number;
  readonly templates: number;
  readonly teams: number;
  readonly suites: number;
}

/** An organization as a team has it that made everything by hand for years. */
export const LARGE: Sizes = { clusters: 30, queues: 400, tokens: 60, templates: 10, teams: 40, suites: 40 };

/** A cluster of each awkward name, a template of each awkward text, and little more. */
export const SMALL: Sizes = { clusters: 23, queues: 12, tokens: 8, templates: 9, teams: 6, suites: 6 };

export const MEDIUM: Sizes = { clusters: 25, queues: 150, tokens: 46, templates: 12, teams: 25, suites: 30 };

const NAMES = [
  "Linux",
  "Linux",
  "linux!",
  "🚀 Rockets 🧑‍🚀 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  'Say "hi"',
  "It's 'quoted'",
  "`back` ${ticks} \\n",
  "class",
  "default",
  "con",
  "2nd generation",
  "日本語のクラスタ",
  "Ünïcödé ÄÖÜ ß İ",
  "🔥",
  `${"A long name that goes on ".repeat(8)}and ends`,
  "*/ comment // and <script>",
  "line one\r\nline two\ttabbed  ",
  "\u202egnp.exe \u0007 \u2028 end",
  "ctx",
  "err",
  "Pulumi",
  "$HOME $$ $${x} ${linux.id} %{y} %%{z} {{ w }}",
  "next\u0085line {curly} \u00a0",
];

const TEXTS = [
  "",
  "Builds",
  "Windows\r\nline\r\nends\r\n",
  "A `template` with ${holes} and \\ backslashes\nand trailing spaces   \n\n",
  `${"Long text without a line break. ".repeat(20)}`,
  `"double" and 'single'`,
  "one 'single' quote\u00a0and a no-break space",
  "lines with a backslash \\\nand \\n, $HOME, ${holes}, %{holes} and #{holes}\r\n: - {yaml}",
  "yes",
];

const CONFIGURATIONS = [
  "steps:\n  - command: make\n",
  'steps:\r\n  - label: ":windows: build"\r\n    command: build.cmd\r\n',
  '# only `code` and ${BUILDKITE_BRANCH}\nsteps:\n  - command: "echo \\"${HOME}\\" \\\\ `date`"\n',
  "{steps: [{command: 'one line'}]}",
  "defaults: &d\n  retry: 2\nsteps:\n  - <<: *d\n    command: |\n      first\n\n      second   \n    on: yes\n",
  "---\nsteps: []\n...\n",
  'steps:\n  - command: >-\n      folded\n      text\n  - wait: ~\n  - "12:30": 0o14',
  "\ufeffsteps:\n  - label: '日本語 🚀'\n",
  `# ${"two thousand characters ".repeat(90)}\nsteps:\n  - command: 'echo \\ $HOME $\${X} %{y}'\n`,
];

const COLORS = ["", "#A9CCE3", "#fff"];

function pick(values: readonly string[], index: number): string {
  return values[index % values.length] ?? "";
}

/** Makes such an organization by the API, as people did. */
export async function makeAwkwardOrganization(client: BuildPipelineClient, sizes: Sizes): Promise<void> {
  const name = (index: number) => pick(NAMES, index) + (index < NAMES.length ? "" : ` ${index}`);
  const text = (index: number) => pick(TEXTS, index);
  const clusters: string[] = [];
  for (let index = 0; index < sizes.clusters; index++) {
    // The web interface stores a character.
    const emoji = index % 3 === 0 ? ":penguin:" : index % 7 === 0 ? "🐧" : undefined;
    const color = pick(COLORS, index);
    const { id } = await client.clusters.create({
      name: name(index),
      description: text(index),
      emoji,
      color,
    });
    clusters.push(id);
  }
  const keys = [
    "default",
    "class",
    "Default",
    "16-core",
    "_",
    "linux",
    "a-key-that-is-quite-long_and-goes-on-and-on",
  ];
  for (let index = 0; index < sizes.queues; index++) {
    const cluster = pick(clusters, index);
    const turn = Math.floor(index / clusters.length);
    const key = turn < keys.length ? pick(keys, turn) : `queue-${turn}`;
    const queue = await client.queues.create(cluster, { key, description: text(index + turn) });
    if (turn === 0 && index % 2 === 0) await client.clusters.update(cluster, { default_queue_id: queue.id });
    if (index % 7 === 0) await client.queues.pauseDispatch(cluster, queue.id, { note: "By hand" });
  }
  for (let index = 0; index < sizes.tokens; index++) {
    const addresses = index % 4;
    await client.agentTokens.create(pick(clusters, Math.floor(index / 2)), {
      description: index % 2 === 0 ? "default" : name(index),
      ...(addresses > 0 && {
        allowed_ip_addresses: Array.from({ length: addresses * 6 }, (_, at) => `10.${at}.0.0/16`).join(" "),
      }),
    });
  }
  for (let index = 0; index < sizes.templates; index++) {
    await client.pipelineTemplates.create({
      name: name(index),
      configuration: pick(CONFIGURATIONS, index),
      description: text(index),
      available: index % 2 === 0,
    });
  }
  for (let index = 0; index < sizes.teams; index++) {
    await client.teams.create({
      ...TEAM,
      name: name(index),
      description: text(index),
      privacy: index % 3 === 0 ? "secret" : "visible",
      is_default_team: index % 5 === 0,
    });
  }
  for (let index = 0; index < sizes.suites; index++) {
    await client.suites.create({
      name: name(index),
      default_branch: index % 2 === 0 ? "main" : "release/`${x}`",
      application_name: text(index),
      emoji: index % 3 === 0 ? "🧪" : undefined,
    });
  }
}
