import { afterEach } from "vitest";
import { type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";
import { Project } from "./project.js";

/** What an example needs around it beside an organization. */
interface Surroundings {
  readonly emulator?: EmulatorOptions;
  /** Done before the program runs, as its reader would do it. Returns what must be closed afterwards. */
  readonly prepare?: (project: Project) => Promise<(() => Promise<void>) | undefined>;
}

const surroundings: Readonly<Record<string, Surroundings>> = {
  "adopt-existing": {
    async prepare(project) {
      await project.shell('eval "$(node prepare.mts)"');
      return undefined;
    },
  },
  "build-after-deploy": { emulator: { seed: true } },
  "from-terraform": {
    async prepare(project) {
      await project.shell("node prepare.mts");
      project.emulator.clearRequests();
      return undefined;
    },
  },
  lookups: {
    emulator: { seed: true },
    async prepare(project) {
      await project.colleague.sends("POST", "/clusters", { name: "Linux" });
      return undefined;
    },
  },
  "second-organization": {
    async prepare(project) {
      const sandbox = await startEmulator({ seed: false, organization: "acme-sandbox" });
      const plain = [`sandbox:organization=${sandbox.organization}`, `sandbox:baseUrl=${sandbox.url}`];
      const secret = `sandbox:accessToken=${sandbox.accessToken}`;
      const values = [...plain.flatMap((one) => ["--plaintext", one]), "--secret", secret];
      await project.pulumi("config", "set-all", ...values);
      return () => sandbox.close();
    },
  },
};

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** An example with its stack selected, nothing deployed. */
export async function startExample(example: string): Promise<Project> {
  const { emulator = { seed: false }, prepare } = surroundings[example] ?? {};
  const project = await Project.start(example, emulator);
  cleanups.push(() => project.close());
  await project.newStack();
  const close = await prepare?.(project);
  if (close) cleanups.push(close);
  return project;
}
