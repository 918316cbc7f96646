import { execFileSync } from "node:child_process";
import { join } from "node:path";

const CHECKOUT = join(__dirname, "..", "..");

/** Where Node keeps what it compiled of the SDK and of the package, for the provider hosts of all tests. */
export const COMPILE_CACHE = join(CHECKOUT, ".buildpipeline", "compile-cache");

/** Fills the cache: the engine kills its hosts, so none of them ever writes one. */
export default function fillCompileCache(): void {
  const modules = ["@pulumi/pulumi", "pulumi-buildpipeline/provider"];
  execFileSync("node", ["-e", `${JSON.stringify(modules)}.forEach((name) => require(name))`], {
    cwd: CHECKOUT,
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
}
