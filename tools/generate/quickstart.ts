import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import type { AnyKind } from "../../src/provider/kind/kind.js";
import { importName } from "../../src/provider/lifecycle/imports/import-name.js";
import { parentKindOf } from "../../src/provider/lifecycle/values/kinds.js";

/** A program in each language, in the order in which the registry offers them. */
export type Snippets = readonly (readonly [language: string, code: string])[];

/** A resource as the quickstart declares it. */
export interface Declaration {
  /** Its name in the program. */
  readonly name: string;
  readonly kind: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The quickstart in each language. The long tests deploy it, so what it shows works. */
export class Quickstart {
  readonly #programs: Readonly<Record<"typescript" | "python" | "go" | "yaml", string>>;
  readonly #declarations: readonly Declaration[];

  constructor(checkout: string) {
    const read = (...path: string[]) => readFileSync(join(checkout, "examples", ...path), "utf8");
    this.#programs = {
      typescript: read("quickstart", "index.ts"),
      python: read("quickstart-python", "__main__.py"),
      go: read("quickstart-go", "main.go"),
      yaml: read("quickstart-yaml", "Pulumi.yaml"),
    };
    const { resources }: { resources: Record<string, { type: string; properties: object }> } = parse(
      this.#programs.yaml,
    );
    this.#declarations = Object.entries(resources).map(([name, { type, properties }]) => ({
      name,
      kind: type.split(":").at(-1) ?? "",
      properties: { ...properties },
    }));
  }

  /** Returns the declaration of a resource type that shows most of it; nothing if there is none. */
  declaration(kind: string): Declaration | undefined {
    const size = ({ properties }: Declaration) => Object.keys(properties).length;
    return this.#declarations
      .filter((declared) => declared.kind === kind)
      .toSorted((one, other) => size(other) - size(one))[0];
  }

  /** Returns a program with that declaration and what it refers to, in each language; none if there is none. */
  snippets(kind: string): Snippets {
    const shown = this.declaration(kind);
    if (shown === undefined) return [];
    const needed = this.#withReferences(shown);
    const { typescript, python, go, yaml } = this.#programs;
    const statements = (language: string, text: string, pattern: (declared: Declaration) => string) =>
      needed.map((declared) => {
        const [match, inner = match] = new RegExp(pattern(declared), "ms").exec(text) ?? [];
        if (match === undefined || inner === undefined)
          throw new Error(`The quickstart in ${language} does not declare ${declared.name}.`);
        return inner;
      });
    const kinds = [...new Set(needed.map((declared) => declared.kind))].toSorted();
    const inTypeScript = statements(
      "TypeScript",
      typescript,
      (declared) => `^(?:const \\w+ = )?new ${declared.kind}\\(\\s*"${declared.name}",.*?\\);$`,
    );
    const inPython = statements(
      "Python",
      python,
      (declared) =>
        `^(?:\\w+ = )?buildpipeline\\.${declared.kind}\\(\\s*"${declared.name}"(?:[^\\n]*\\)$|.*?^\\)$)`,
    );
    const inGo = statements(
      "Go",
      go,
      (declared) =>
        `^\\t((?:\\w+|if _), err := buildpipeline\\.New${declared.kind}\\(ctx, "${declared.name}".*?\\n\\t\\}$)`,
    );
    // Go refuses a variable that nothing uses.
    const last = inGo.pop()?.replace(/^\w+, (.*?\}\))\n\tif err != nil/s, "if _, $1; err != nil");
    const [imports = ""] = /^import \(.*?^\)$/ms.exec(go) ?? [];
    const body = [...inGo, last, "return nil"].join("\n\t").replaceAll(/^(?=.)/gm, "\t");
    const resources = parse(yaml).resources;
    return [
      [
        "typescript",
        `import { ${kinds.join(", ")} } from "pulumi-buildpipeline";\n\n${inTypeScript.join("\n")}`,
      ],
      ["python", `import pulumi_buildpipeline as buildpipeline\n\n${inPython.join("\n")}`],
      [
        "go",
        `package main\n\n${imports}\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t${body}\n\t})\n}`,
      ],
      [
        "yaml",
        stringify({
          name: "ci",
          runtime: "yaml",
          resources: Object.fromEntries(needed.map(({ name }) => [name, resources[name]])),
        }).trimEnd(),
      ],
    ];
  }

  /** Returns the name by which that declaration's object is imported; nothing if nobody can name it. */
  importName(kind: AnyKind, declared = this.declaration(kind.name)): string | undefined {
    const parent = parentKindOf(kind);
    if (declared === undefined) return undefined;
    const { properties } = declared;
    const [owner] = parent === undefined ? [] : this.#references(declared);
    const place = parent && owner ? (this.importName(parent, owner) ?? "") : "";
    // Slugs follow from names.
    const slug = String(properties.name).toLowerCase().replaceAll(" ", "-");
    const [own] = kind.importing?.names({ ...properties, slug }) ?? [];
    return own == null ? place || undefined : importName(place, own);
  }

  #withReferences(declared: Declaration): Declaration[] {
    const referred = this.#references(declared).flatMap((other) => this.#withReferences(other));
    return [...new Set([...referred, declared])];
  }

  #references({ properties }: Declaration): Declaration[] {
    const names = [...JSON.stringify(properties).matchAll(/\$\{([\w-]+)\./g)].map(([, name]) => name);
    return this.#declarations.filter(({ name }) => names.includes(name));
  }
}
