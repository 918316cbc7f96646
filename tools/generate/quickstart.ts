import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import type { AnyKind } from "../../src/provider/kind/kind.js";
import { importName } from "../../src/provider/lifecycle/imports/import-name.js";
import { parentKindOf } from "../../src/provider/lifecycle/values/kinds.js";
import type { Described } from "./description.js";

/** A program in each language, in the order in which the registry offers them. */
export type Snippets = readonly (readonly [language: string, code: string])[];

/** A resource as the quickstart declares it. */
export interface Declaration {
  /** Its name in the program. */
  readonly name: string;
  readonly kind: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The component, which the quickstart lacks, and the programs with it. */
const ROTATION = { kind: "RotatingAgentToken", programs: "rotation" };

/** The quickstart and a rotation in each language. The long tests deploy them, so what they show works. */
export class Quickstart {
  readonly #programs: Readonly<Record<"typescript" | "python" | "go" | "yaml", string>>;
  readonly #rotation: Snippets;
  readonly #declarations: readonly Declaration[];

  constructor(checkout: string) {
    const read = (...path: string[]) => readFileSync(join(checkout, "examples", ...path), "utf8").trimEnd();
    const others = (name: string) => ({
      python: read(`${name}-python`, "__main__.py"),
      go: read(`${name}-go`, "main.go"),
      yaml: read(`${name}-yaml`, "Pulumi.yaml"),
    });
    this.#programs = { typescript: read("quickstart", "index.ts"), ...others("quickstart") };
    this.#rotation = Object.entries(others(ROTATION.programs));
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

  /**
   * Returns a program in each language with that declaration and what it refers to. The examples of its comment stand for
   * what only TypeScript has.
   */
  snippets({ name: kind, examples }: Pick<Described, "name" | "examples">): Snippets {
    const shown = this.declaration(kind);
    if (shown === undefined) {
      const inTypeScript = examples.map((code) => ["typescript", code] as const);
      return [...inTypeScript, ...(kind === ROTATION.kind ? this.#rotation : [])];
    }
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
