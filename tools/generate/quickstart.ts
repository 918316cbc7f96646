import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { type AnyKind, kindNamed } from "../../src/provider/for-commands/kinds.js";
import { importName, wantedValue } from "../../src/provider/for-commands/objects.js";
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

/** The component, which the programs lack, and the examples with it. */
const ROTATION = { kind: "RotatingAgentToken", programs: "rotation" };

/** The examples that are in every language. Each resource type is in one of them. */
const EXAMPLES = ["quickstart", "storefront"];

/** The quickstart and other programs in each language. The long tests deploy them, so what they show works. */
export class Quickstart {
  readonly #programs: readonly Program[];
  readonly #rotation: Snippets;

  constructor(readonly checkout: string) {
    this.#programs = EXAMPLES.map((name) => new Program(checkout, name));
    this.#rotation = Object.entries(inOtherLanguages(checkout, ROTATION.programs));
  }

  /** Returns the example of this name; if there is none, the one that has every type without an own one. */
  exampleWith(name: string): string {
    return existsSync(join(this.checkout, "examples", name)) ? name : "storefront";
  }

  /** Returns the declaration of a resource type that shows most of it; nothing if there is none. */
  declaration(kind: string): Declaration | undefined {
    return this.#programWith(kind)?.declaration(kind);
  }

  /**
   * Returns a program in each language with that declaration and what it refers to. The examples of its comment stand for
   * what only TypeScript has.
   */
  snippets({ name: kind, examples }: Pick<Described, "name" | "examples">): Snippets {
    const shown = this.declaration(kind);
    if (shown !== undefined) return this.#programWith(kind)?.snippets(shown) ?? [];
    const inTypeScript = examples.map((code) => ["typescript", code] as const);
    return [...inTypeScript, ...(kind === ROTATION.kind ? this.#rotation : [])];
  }

  /** Returns the name by which that declaration's object is imported; nothing if nobody can name it. */
  importName(kind: AnyKind): string | undefined {
    const shown = this.declaration(kind.name);
    return shown && this.#programWith(kind.name)?.importName(kind, shown);
  }

  #programWith(kind: string): Program | undefined {
    return this.#programs.find((program) => program.declaration(kind) !== undefined);
  }
}

function reading(checkout: string) {
  return (...path: string[]) => readFileSync(join(checkout, "examples", ...path), "utf8").trimEnd();
}

function inOtherLanguages(checkout: string, name: string) {
  const read = reading(checkout);
  return {
    python: read(`${name}-python`, "__main__.py"),
    go: read(`${name}-go`, "main.go"),
    yaml: read(`${name}-yaml`, "Pulumi.yaml"),
  };
}

/** An example in each language. */
class Program {
  readonly #languages: Readonly<Record<"typescript" | "python" | "go" | "yaml", string>>;
  readonly #declarations: readonly Declaration[];

  constructor(checkout: string, name: string) {
    this.#languages = {
      typescript: reading(checkout)(name, "index.ts"),
      ...inOtherLanguages(checkout, name),
    };
    const { resources }: { resources: Record<string, { type: string; properties: object }> } = parse(
      this.#languages.yaml,
    );
    this.#declarations = Object.entries(resources).map(([resource, { type, properties }]) => ({
      name: resource,
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

  /** Returns a program in each language with a declaration and what it refers to. */
  snippets(shown: Declaration): Snippets {
    const needed = this.#withReferences(shown);
    const { typescript, python, go, yaml } = this.#languages;
    const statements = (language: string, text: string, pattern: (declared: Declaration) => string) =>
      needed.map((declared) => {
        const [match, inner = match] = new RegExp(pattern(declared), "ms").exec(text) ?? [];
        if (match === undefined || inner === undefined)
          throw new Error(`The example in ${language} does not declare ${declared.name}.`);
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
    const body = [...inGo, last, "return nil"].join("\n\t").replaceAll(/^(?=.)/gm, "\t");
    // Nor an import.
    const [imports = ""] = /^import \(.*?^\)$/ms.exec(go) ?? [];
    const used = imports.replaceAll(/^\t".*?(\w+)"\n/gm, (line, name) =>
      new RegExp(`\\b${name}\\.`).test(body) ? line : "",
    );
    const { config, resources } = parse(yaml);
    const withPulumi = (statement: string, text: string) =>
      /(?<![\w.])pulumi\./.test(text) ? `${statement}\n` : "";
    const isConfigured = needed.some(({ properties }) => /\$\{\w+\}/.test(JSON.stringify(properties)));
    return [
      [
        "typescript",
        `${withPulumi('import * as pulumi from "@pulumi/pulumi";', inTypeScript.join())}import { ${kinds.join(", ")} } from "pulumi-buildpipeline";\n\n${inTypeScript.join("\n")}`,
      ],
      [
        "python",
        `${withPulumi("import pulumi", inPython.join())}import pulumi_buildpipeline as buildpipeline\n\n${inPython.join("\n")}`,
      ],
      [
        "go",
        `package main\n\n${used}\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t${body}\n\t})\n}`,
      ],
      [
        "yaml",
        stringify({
          name: "ci",
          runtime: "yaml",
          ...(isConfigured && { config }),
          resources: Object.fromEntries(needed.map(({ name }) => [name, resources[name]])),
        }).trimEnd(),
      ],
    ];
  }

  /** Returns the name by which a declaration's object is imported; nothing if nobody can name it. */
  importName(kind: AnyKind, { properties }: Declaration): string | undefined {
    const { parent, importing } = kind;
    const place = parent === undefined ? "" : (this.#nameBehind(properties[parent.argument]) ?? "");
    // A pair is called after what it connects with its parent.
    const wanted = wantedValue(kind, properties);
    const other = this.#nameBehind(wanted) ?? (kind.isPair ? wanted : undefined);
    // Slugs follow from names.
    const slug = String(properties.name).toLowerCase().replaceAll(" ", "-");
    const own =
      other ??
      importing?.names({
        ...properties,
        slug,
        provider: { id: properties.provider },
        source_uuid: this.#nameBehind(properties.sourcePipelineId),
        target_uuid: this.#nameBehind(properties.targetPipelineId),
      })[0];
    return typeof own === "string" && importing !== undefined ? importName(place, own) : place || undefined;
  }

  /** Returns the import name of what a property refers to, if it refers to something. */
  #nameBehind(value: unknown): string | undefined {
    const [, name] = /^\$\{([\w-]+)\.id\}$/.exec(String(value)) ?? [];
    const referred = this.#declarations.find((declared) => declared.name === name);
    const kind = referred && kindNamed(referred.kind);
    return referred && kind && this.importName(kind, referred);
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
