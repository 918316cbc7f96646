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

/** A project that is written. */
export interface NewProject {
  readonly organization: string;
  /** Name of the project, where there is none yet. */
  readonly folderName: string;
  /** Dependency of a package.json on this package: a range of versions, or `file:` and a path. */
  readonly dependency: string;
  /** The backend of the resources: the dynamic provider, or the plugin. */
  readonly backend: Backend;
  /** True if it refreshes before each preview. It then needs its access token in the environment. */
  readonly refreshes: boolean;
  /** The folder that has the packages. Default: `node_modules`. */
  readonly packages?: string | undefined;
}

/** Returns the files around a program, for a folder that lacks them. */
export function projectFiles(project: NewProject): Record<string, string> {
  const { organization, folderName, dependency, backend, refreshes, packages = "node_modules" } = project;
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
      description: `Buildkite resources of ${organization}: ${name}`,
      runtime: "nodejs",
      ...(refreshes && { options: { refresh: "always" } }),
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
