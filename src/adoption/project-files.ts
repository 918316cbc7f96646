import { stringify } from "yaml";
import { IMPORT_FILE } from "../import/import-file.js";
import type { Backend } from "../protocol/type-token.js";

/** Where a project with this package installed has the plugin. */
export const PLUGIN = { name: "buildpipeline", path: pluginIn("node_modules") };

function pluginIn(packages: string): string {
  return `${packages}/pulumi-buildpipeline/plugin`;
}

/** Returns the name of a folder's project, of the characters that Pulumi and npm take. */
export function projectName(folderName: string): string {
  return folderName.replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "") || "build-pipeline";
}

/** Returns the files around a program, for a folder that lacks them. */
export function projectFiles(
  folderName: string,
  dependency: string,
  backend: Backend,
  packages = "node_modules",
): Record<string, string> {
  const name = projectName(folderName);
  const manifest = {
    name: name.toLowerCase(),
    private: true,
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.216.0", "pulumi-buildpipeline": dependency },
    devDependencies: { typescript: ">=5.8 <7" },
  };
  const compiler = {
    compilerOptions: {
      target: "es2022",
      module: "nodenext",
      moduleResolution: "nodenext",
      rootDir: ".",
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    },
  };
  return {
    "Pulumi.yaml": stringify({
      name,
      description: "Clusters, queues, agent tokens, pipeline templates, teams and suites",
      runtime: "nodejs",
      ...(backend === "plugin" && { plugins: { providers: [{ ...PLUGIN, path: pluginIn(packages) }] } }),
    }),
    "package.json": `${JSON.stringify(manifest, undefined, 2)}\n`,
    "tsconfig.json": `${JSON.stringify(compiler, undefined, 2)}\n`,
    ".gitignore": `node_modules/\n${IMPORT_FILE}\n`,
  };
}

/** Returns a project's `.gitignore` with the import file in it: after the import that file only repeats the state. */
export function ignoringImportFile(gitignore: string): string {
  const isIgnored = gitignore.split(/\r?\n/).some((line) => line.trim().replace(/^\//, "") === IMPORT_FILE);
  if (isIgnored) return gitignore;
  return `${gitignore}${gitignore === "" || gitignore.endsWith("\n") ? "" : "\n"}${IMPORT_FILE}\n`;
}
