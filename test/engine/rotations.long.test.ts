import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { counted } from "../stories/histories/count.js";
import { inject, mishaps } from "../stories/histories/faults.js";
import { backends } from "./backends.js";
import { KillableProject, kill } from "./killable-project.js";
import { descendants, type Process } from "./processes.js";

const { count: COUNT, replay } = counted(3, 20261122);
const GENERATIONS = 6;

/** What goes wrong in the first deployment of a generation. */
type Trouble =
  | { readonly what: "nothing" }
  | { readonly what: "killed" | "Ctrl-C"; readonly request: number }
  | { readonly what: "fault"; readonly operation: string; readonly mishap: string };

const names = mishaps.map(({ name }) => name).filter((name) => !/time-out|429/.test(name));
const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  fc.constant({ what: "nothing" as const }),
  fc.record({ what: fc.constantFrom("killed", "Ctrl-C"), request: fc.integer({ min: 1, max: 10 }) }),
  fc.record({
    what: fc.constant("fault" as const),
    operation: fc.constantFrom("agentTokens.create", "agentTokens.delete", "pipelineTemplates.update"),
    mishap: fc.constantFrom(...names),
  }),
);
const history = fc.array(trouble, { minLength: GENERATIONS, maxLength: GENERATIONS });

const program = (generation: number) => [
  'const linux = new Cluster("linux", { name: "Linux" });',
  `const farm = new RotatingAgentToken("farm", { clusterId: linux, description: "Farm", generation: ${generation} });`,
  'new PipelineTemplate("store", { name: "Store", configuration: farm.token });',
];

describe.each(backends)("Rotations on the real engine, %s backend", (backend) => {
  test(`an agent starts with what is in the store at any moment of ${COUNT} histories`, async () => {
    const total = { deployments: 0, requests: 0, troubles: 0 };
    await fc.assert(
      fc.asyncProperty(history, async (troubles) => {
        const killable = await KillableProject.start(backend);
        const { wrong, ...count } = await play(killable, troubles);
        total.deployments += count.deployments;
        total.requests += count.requests;
        total.troubles += count.troubles;
        expect(wrong).toEqual([]);
      }),
      // Each try takes seconds, so a failure is reported as it is found.
      { numRuns: COUNT, endOnFailure: true, ...replay },
    );
    process.stdout.write(`${COUNT} histories of rotations, ${backend} backend: ${JSON.stringify(total)}\n`);
    expect(total.troubles).toBeGreaterThan(0);
  }, 7_200_000);
});

async function play(killable: KillableProject, troubles: readonly Trouble[]) {
  const { project } = killable;
  const { emulator } = project;
  const count = { wrong: [] as string[], deployments: 0, requests: 0, troubles: 0 };
  const printed: string[] = [];
  const stored = () => emulator.organizationData.pipelineTemplates.list().at(-1)?.configuration;

  /** Deploys once. @returns whether that succeeded */
  const deploy = async (generation: number, trouble: Trouble): Promise<boolean> => {
    // A machine that boots reads the store first, and starts its agent some time later.
    const before = stored();
    const startAgents = () => {
      for (const token of [before, stored()]) {
        try {
          if (token !== undefined) emulator.connectAgent({ token });
        } catch {
          count.wrong.push(`generation ${generation}, ${JSON.stringify(trouble)}: an agent can't start`);
        }
      }
    };
    const interrupts = trouble.what === "killed" || trouble.what === "Ctrl-C";
    let left = interrupts ? trouble.request : Number.POSITIVE_INFINITY;
    let interrupt = () => {};
    const stop = emulator.onRequest(() => {
      count.requests += 1;
      startAgents();
      left -= 1;
      if (left === 0) interrupt();
    });
    const rule = trouble.what === "fault" ? inject(emulator, trouble) : undefined;
    count.deployments += 1;
    let succeeded = false;
    if (interrupts) {
      const engine = project.engine("up", "--yes", "--skip-preview");
      let started: readonly Process[] = [];
      interrupt = () => {
        count.troubles += 1;
        started = descendants(engine.pid);
        process.kill(engine.pid, trouble.what === "killed" ? "SIGKILL" : "SIGINT");
      };
      await engine.ended;
      await kill(...started.map(({ pid }) => pid));
      if (trouble.what === "killed") await project.pulumi("cancel", "--yes").catch(() => "");
    } else {
      const output = await project.up().catch((error: unknown) => {
        printed.push(String(error));
        return undefined;
      });
      succeeded = output !== undefined;
      printed.push(output ?? "");
    }
    stop();
    count.troubles += rule?.hits ?? 0;
    rule?.remove();
    startAgents();
    return succeeded;
  };

  for (const [index, trouble] of troubles.entries()) {
    const generation = index + 1;
    killable.program(...program(generation));
    const nothing = { what: "nothing" } as const;
    const done = (await deploy(generation, trouble)) || (await deploy(generation, nothing));
    if (!done && !(await deploy(generation, nothing)))
      count.wrong.push(
        `generation ${generation} is not deployed after ${JSON.stringify(trouble)}: ${printed.at(-1)}`,
      );
  }
  const state = await project.pulumi("stack", "export");
  for (const { id, description } of emulator.organizationData.agentTokens.list()) {
    const isKnown = state.includes(id) || printed.some((text) => text.includes(id));
    // A failure without an id names what to look for.
    const isNamed = printed.some((text) => /AgentToken: .*import/s.test(text) && text.includes(description));
    if (!isKnown && !isNamed) count.wrong.push(`"${description}" ${id} is neither owned nor named`);
  }
  const newest = emulator.organizationData.agentTokens.list().find(({ token }) => token === stored());
  if (newest?.description !== `Farm #${troubles.length}`)
    count.wrong.push(`the store has ${newest?.description}`);
  return count;
}
