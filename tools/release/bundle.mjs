// The plugin as one JavaScript file, with everything it needs but Node.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { checkout } from "../dev/checkout.mjs";
import { Problem } from "../dev/command.mjs";

const plugin = join(checkout, "dist", "provider", "plugin");
const packageFiles = join(checkout, "dist", "shared", "process", "package-files.js");
/** A module that loads packages at run time from where it is, which is nowhere in a bundle. */
const protobuf = join(plugin, "protobuf.js");

/** What the SDK's entry loads, TypeScript and npm's arborist among it, serves programs only. */
const SDK_ENTRY = "@pulumi/pulumi";
const SDK_STAND_IN = join(import.meta.dirname, "sdk-without-programs.cjs");

/** The SDK's messages are written by its own copy of protobuf, and another copy's need not fit. */
const fromSdk = createRequire(createRequire(join(checkout, "package.json")).resolve(SDK_ENTRY));

/**
 * Bundles dist/provider/plugin/main.js into one CommonJS file.
 *
 * @param {string} file where to write it
 * @returns {Promise<string[]>} the directories of the npm packages whose code is in it
 */
export async function bundlePlugin(file) {
  const bundle = await rolldown({
    input: join(plugin, "main.js"),
    platform: "node",
    resolve: { conditionNames: ["node", "require", "default"] },
    onwarn: (warning) => {
      throw new Problem(`Bundling the plugin: ${warning.message}`);
    },
    // How long plugins took depends on the machine.
    checks: { eval: false, pluginTimings: false },
    plugins: [
      {
        name: "buildpipeline-plugin",
        resolveId: (source) => {
          if (source === SDK_ENTRY) return SDK_STAND_IN;
          return source.startsWith("google-protobuf") ? fromSdk.resolve(source) : null;
        },
        transform: (code, id) => {
          if (id === packageFiles) return inlinedPackageFiles();
          return id === protobuf ? withPlainRequire(code, "fromSdk", id) : null;
        },
      },
    ],
  });
  const { output } = await bundle.write({ file, format: "cjs", minify: true, codeSplitting: false });
  await bundle.close();
  const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? Object.keys(chunk.modules) : []));
  return [...new Set(modules.flatMap(packageDirectory))].sort();
}

/** The version and the schema, which stand next to the plugin in the npm package. */
function inlinedPackageFiles() {
  const { version } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  const schema = JSON.parse(readFileSync(join(checkout, "plugin", "schema.json"), "utf8"));
  // Without the npm package, a TypeScript program uses an SDK that Pulumi generates, and npm refuses a path as its name.
  delete schema.language.nodejs.packageName;
  return [
    `exports.packageVersion = () => ${JSON.stringify(version)};`,
    `exports.packageSchema = () => ${JSON.stringify(JSON.stringify(schema))};`,
  ].join("\n");
}

/** Turns a module's own loader into `require`, which the bundler follows. @param {string} code @param {string} loader @param {string} id */
function withPlainRequire(code, loader, id) {
  const changed = code
    .replace(new RegExp(`^const ${loader} = .*$`, "m"), "")
    .replaceAll(new RegExp(`\\b${loader}\\(`, "g"), "require(");
  if (changed === code || changed.includes("createRequire")) {
    throw new Problem(`${relative(checkout, id)} has changed: tools/release/bundle.mjs no longer fits it.`);
  }
  return changed;
}

/** @param {string} id of a module @returns {string[]} */
function packageDirectory(id) {
  const parts = relative(checkout, dirname(id)).split(sep);
  const last = parts.lastIndexOf("node_modules");
  if (last === -1) return [];
  return [join(checkout, ...parts.slice(0, last + (parts[last + 1]?.startsWith("@") ? 3 : 2)))];
}
