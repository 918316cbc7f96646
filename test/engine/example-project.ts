import { type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";
import { closedAtEnd } from "./ending.js";
import { Project } from "./project.js";

/** What an example needs around it beside an organization. */
interface Surroundings {
  readonly emulator?: EmulatorOptions;
  /** Done before the program runs, as its reader would do it. */
  readonly prepare?: (project: Project) => Promise<unknown>;
}

/** Sets what the programs with a secret, a webhook and a member of a team read from configuration. */
async function configureDelivery(project: Project): Promise<unknown> {
  const [user] = await project.colleague.list("/members");
  const userId = String(user?.id);
  return project.pulumi(
    "config",
    "set-all",
    "--secret",
    "deployKey=s3cr3t-of-a-test",
    "--secret",
    "webhookToken=s3cr3t-of-a-test",
    "--plaintext",
    `userId=${userId}`,
  );
}

/** Puts a user into the program who is a member, as its reader would. */
function configureStorefront(project: Project, program: string): Promise<unknown> {
  const { id } = project.emulator.addMember({ name: "Ben Baker", email: "ben@example.com" });
  project.write(program, project.read(program).replace(/[0-9a-f]{8}-[-0-9a-f]{27}/, id));
  return configureDelivery(project);
}

const surroundings: Readonly<Record<string, Surroundings>> = {
  "adopt-existing": {
    prepare: (project) => project.shell('eval "$(node prepare.mts)"'),
  },
  "build-after-deploy": { emulator: { seed: true } },
  "cluster-secret": { prepare: configureDelivery },
  "notification-service": { prepare: configureDelivery },
  "from-terraform": {
    async prepare(project) {
      await project.shell("node prepare.mts");
      project.emulator.clearRequests();
    },
  },
  lookups: {
    emulator: { seed: true },
    prepare: (project) => project.colleague.sends("POST", "/clusters", { name: "Linux" }),
  },
  storefront: { prepare: (project) => configureStorefront(project, "index.ts") },
  "storefront-go": { prepare: (project) => configureStorefront(project, "main.go") },
  "storefront-python": { prepare: (project) => configureStorefront(project, "__main__.py") },
  "storefront-yaml": { prepare: (project) => configureStorefront(project, "Pulumi.yaml") },
  "team-member": { emulator: { seed: true } },
  "second-organization": {
    async prepare(project) {
      const sandbox = closedAtEnd(await startEmulator({ seed: false, organization: "acme-sandbox" }));
      const plain = [`sandbox:organization=${sandbox.organization}`, `sandbox:baseUrl=${sandbox.url}`];
      const secret = `sandbox:accessToken=${sandbox.accessToken}`;
      const values = [...plain.flatMap((one) => ["--plaintext", one]), "--secret", secret];
      await project.pulumi("config", "set-all", ...values);
    },
  },
};

/** An example with its stack selected, nothing deployed. */
export async function startExample(example: string): Promise<Project> {
  const { emulator, prepare } = surroundings[example] ?? {};
  const project = await Project.start(example, emulator);
  // Programs in other languages have the plugin of the npm package and its SDK.
  if (/-(?:go|python|yaml)$/.test(example)) {
    project.installPackage();
    await project.pulumi("install");
  }
  await project.newStack();
  await prepare?.(project);
  return project;
}
