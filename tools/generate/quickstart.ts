import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";

/** A statement in each language, in the order in which the registry offers them. */
export type Snippets = readonly (readonly [language: string, code: string])[];

/** The quickstart in each language. The long tests deploy it, so what it shows works. */
export class Quickstart {
  readonly #programs: Readonly<Record<"typescript" | "python" | "go" | "yaml", string>>;

  constructor(checkout: string) {
    const read = (...path: string[]) => readFileSync(join(checkout, "examples", ...path), "utf8");
    this.#programs = {
      typescript: read("quickstart", "index.ts"),
      python: read("quickstart-python", "__main__.py"),
      go: read("quickstart-go", "main.go"),
      yaml: read("quickstart-yaml", "Pulumi.yaml"),
    };
  }

  /** Returns how the quickstart declares its first resource of a type; nothing if it declares none. */
  snippets(resource: string): Snippets {
    const { typescript, python, go, yaml } = this.#programs;
    if (!typescript.includes(`new ${resource}(`)) return [];
    const found = (language: string, text: string, pattern: RegExp) => {
      const [match] = pattern.exec(text) ?? [];
      if (match === undefined) throw new Error(`The quickstart in ${language} declares no ${resource}.`);
      return match;
    };
    const goCall = found("Go", go, new RegExp(`buildpipeline\\.New${resource}\\(ctx,.*?\\n\\t\\}\\)`, "s"));
    return [
      [
        "typescript",
        found("TypeScript", typescript, new RegExp(`^(?:const \\w+ = )?new ${resource}\\(.*?\\);$`, "ms")),
      ],
      [
        "python",
        found(
          "Python",
          python,
          new RegExp(`^(?:\\w+ = )?buildpipeline\\.${resource}\\((?:[^\\n]*\\)$|.*?^\\)$)`, "ms"),
        ),
      ],
      ["go", `_, err := ${goCall.replaceAll(/^\t/gm, "")}\nif err != nil {\n\treturn err\n}`],
      ["yaml", entryOf(yaml, resource)],
    ];
  }
}

function entryOf(text: string, resource: string): string {
  const { resources }: { resources: Record<string, { type: string }> } = parse(text);
  const entry = Object.entries(resources).find(([, { type }]) => type === `buildpipeline:index:${resource}`);
  if (entry === undefined) throw new Error(`The quickstart in YAML declares no ${resource}.`);
  return stringify({ resources: Object.fromEntries([entry]) }).trimEnd();
}
