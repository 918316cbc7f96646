import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { someOf } from "../../support/cases.js";

const checkout = join(__dirname, "..", "..", "..");

/** Runs a line of a program in a process that takes itself for Bun. `npm test -- places` does so on Bun itself. */
function onBun(line: string, path: string): string {
  const program = `
    Object.defineProperty(process, "versions", { value: { ...process.versions, bun: "1.4.4" } });
    const pulumi = require("@pulumi/pulumi");
    const mocks = { newResource: ({ inputs }) => ({ id: "some", state: inputs }), call: () => ({}) };
    const { Cluster } = require("./dist/index.js");
    const { Cluster: Native } = require("./dist/provider/native/index.js");
    try { ${line}; console.log("registered"); } catch (error) { console.log(error.message); }
    process.exit(0);`;
  const options = { cwd: checkout, env: { PATH: path }, encoding: "utf8" } as const;
  return spawnSync(process.execPath, ["-e", program], options).stdout;
}

const WITH_NODE = dirname(process.execPath);
const WITHOUT_NODE = join(checkout, "docs");
const DYNAMIC = 'new Cluster("linux", { name: "Linux" })';

test("Without Node, the first dynamic resource of a program on Bun says so, because Pulumi only says EOF", () => {
  expect(onBun(DYNAMIC, WITHOUT_NODE)).toBe(
    '"linux": Cluster: Pulumi runs dynamic providers on Node, not on Bun (pulumi#22040), and found no `node` on the PATH. ' +
      "Install Node 22.19 or later, and use `runtime: nodejs` if nothing needs Bun; or import from " +
      '"pulumi-buildpipeline/native" and install the plugin. [buildpipeline:bun-without-node]\n',
  );
});

test.each(
  someOf([
    ["where Node is on the PATH", DYNAMIC, WITH_NODE],
    ["of the plugin, which runs by itself", 'new Native("linux", { name: "Linux" })', WITHOUT_NODE],
    ["in a unit test", `pulumi.runtime.setMocks(mocks); ${DYNAMIC}`, WITHOUT_NODE],
  ]),
)("A program on Bun declares a resource %s", (_, line, path) => {
  expect(onBun(line, path)).toBe("registered\n");
});
