import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";

/** A statement in each language, in the order in which the registry offers them. */
export type Snippets = readonly (readonly [language: string, code: string])[];

type Programs = Readonly<Record<"typescript" | "python" | "go" | "yaml", string>>;

/** The quickstart and a rotation in each language. The long tests deploy them, so what they show works. */
export class Quickstart {
  readonly #examples: readonly Programs[];

  constructor(checkout: string) {
    const read = (...path: string[]) => readFileSync(join(checkout, "examples", ...path), "utf8");
    const programs = (name: string, ...typescript: string[]): Programs => ({
      typescript: read(...typescript),
      python: read(`${name}-python`, "__main__.py"),
      go: read(`${name}-go`, "main.go"),
      yaml: read(`${name}-yaml`, "Pulumi.yaml"),
    });
    this.#examples = [
      programs("quickstart", "quickstart", "index.ts"),
      programs("rotation", "token-stores", "aws", "index.ts"),
    ];
  }

  /** Returns how an example declares its first resource of a type; nothing if none declares one. */
  snippets(resource: string): Snippets {
    const programs = this.#examples.find(({ typescript }) => typescript.includes(`new ${resource}(`));
    if (programs === undefined) return [];
    const { typescript, python, go, yaml } = programs;
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
