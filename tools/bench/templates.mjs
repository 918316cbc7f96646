// How long a large pipeline template keeps the provider busy: judging its text, and comparing it with the service's.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { checkout } from "../dev/checkout.mjs";
import { startEmulator } from "./stack.mjs";

const ROUNDS = 3;
const KEYS = 20_000;

/** @typedef {{ checkMs: number, compareMs: number }} TemplateFigures The fastest of three rounds; of one where they are slow. */

/**
 * A template with 20,000 keys in one map: the check of it as a new resource, and a refresh that finds it formatted
 * differently on the service. Both with the provider's own methods against the emulator.
 *
 * @param {string} [folder] The `dist` folder to measure.
 * @returns {Promise<TemplateFigures>}
 */
export async function measureTemplates(folder = join(checkout, "dist")) {
  /** @type {typeof import("../../src/provider/dynamic/index.js")} */
  const { provider } = createRequire(resolve(folder, "index.js"))("pulumi-buildpipeline/provider");
  const emulator = await startEmulator({ seed: false });
  try {
    const { url, organization, accessToken, organizationData } = emulator;
    /** @type {Record<string, string>} */
    const settings = {
      "buildpipeline:baseUrl": url,
      "buildpipeline:organization": organization,
      "buildpipeline:accessToken": accessToken,
    };
    const template = provider("PipelineTemplate");
    const get = (/** @type {string} */ name) => settings[name];
    await template.configure({ config: { get, require: (name) => get(name) ?? "" } });
    const figures = { checkMs: Number.POSITIVE_INFINITY, compareMs: Number.POSITIVE_INFINITY };
    const made = await template.create({ name: "Large", configuration: "steps: []" });
    for (let round = 0; round < ROUNDS; round++) {
      // Each round has a text of its own.
      const lines = Array.from({ length: KEYS }, (_, index) => `  KEY_${index}: value ${round}`).join("\n");
      const configuration = `steps: []\nenv:\n${lines}\n`;
      let start = performance.now();
      const { failures } = await template.check({}, { name: "Larger", configuration });
      figures.checkMs = Math.min(figures.checkMs, performance.now() - start);
      if (failures?.length) throw new Error("The template was refused.");
      organizationData.pipelineTemplates.update(made.id, {
        configuration: `# By hand\n${configuration}`,
      });
      start = performance.now();
      const { inputs } = await template.read(made.id, { ...made.outs, configuration });
      figures.compareMs = Math.min(figures.compareMs, performance.now() - start);
      const slow = figures.checkMs > 5_000;
      if (inputs?.configuration !== configuration) throw new Error("The comment was taken for a change.");
      if (slow) break;
    }
    return figures;
  } finally {
    await emulator.close();
  }
}
