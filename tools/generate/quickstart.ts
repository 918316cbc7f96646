import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import type { AnyKind } from "../../src/provider/kind/kind.js";
import { importName } from "../../src/provider/lifecycle/imports/import-name.js";
import { kindNamed, parentKindOf } from "../../src/provider/lifecycle/values/kinds.js";
import type { Described } from "./description.js";

/** A program in each language, in the order in which the registry offers them. */
export type Snippets = readonly (readonly [language: string, code: string])[];

/** An id, where nothing else finds an object. */
export const UUID = "0190f1c4-8a02-4c5f-8f1e-7b1f0f3d2a44";

/** A resource as a program declares it. */
export interface Declaration {
  /** Its name in the program. */
  readonly name: string;
  readonly kind: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Programs with the resource types. The first one that declares a type shows it. */
const SETS = ["quickstart", "delivery"];
/** The component, which they lack, and the programs with it. */
const ROTATION = { kind: "RotatingAgentToken", programs: "rotation" };

/** One program, in each language. */
interface Programs {
  readonly texts: Readonly<Record<"typescript" | "python" | "go" | "yaml", string>>;
  readonly declarations: readonly Declaration[];
}

/** The quickstart and what it lacks, in each language. The long tests deploy them, so what they show works. */
export class Quickstart {
  readonly #sets: readonly Programs[];
  readonly #rotation: Snippets;

  constructor(checkout: string) {
    const read = (...path: string[]) => readFileSync(join(checkout, "examples", ...path), "utf8").trimEnd();
    const others = (name: string) => ({
      python: read(`${name}-python`, "__main__.py"),
      go: read(`${name}-go`, "main.go"),
      yaml: read(`${name}-yaml`, "Pulumi.yaml"),
    });
    this.#sets = SETS.map((name) => {
      const texts = { typescript: read(name, "index.ts"), ...others(name) };
      const { resources }: { resources: Record<string, { type: string; properties: object }> } = parse(
        texts.yaml,
      );
      const declarations = Object.entries(resources).map(([resource, { type, properties }]) => ({
        name: resource,
        kind: type.split(":").at(-1) ?? "",
        properties: { ...properties },
      }));
      return { texts, declarations };
    });
    this.#rotation = Object.entries(others(ROTATION.programs));
  }

  /** Returns the declaration of a resource type that shows most of it; nothing if there is none. */
  declaration(kind: string): Declaration | undefined {
    const size = ({ properties }: Declaration) => Object.keys(properties).length;
    return this.#sets
      .map(({ declarations }) => declarations.filter((declared) => declared.kind === kind))
      .find((found) => found.length > 0)
      ?.toSorted((one, other) => size(other) - size(one))[0];
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
    const { typescript, python, go, yaml } = this.#setOf(shown).texts;
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
    const body = [...inGo, last, "return nil"].join("\n\t").replaceAll(/^(?=.)/gm, "\t");
    const [allImports = ""] = /^import \(.*?^\)$/ms.exec(go) ?? [];
    // Go refuses an import that nothing uses as well.
    const imports = allImports.replaceAll(/^\t".*?(\w+)"\n/gm, (line, name) =>
      `pulumi. ${body}`.includes(`${name}.`) ? line : "",
    );
    const { resources, config = {} } = parse(yaml);
    const shownResources = Object.fromEntries(needed.map(({ name }) => [name, resources[name]]));
    const settings = Object.entries(config).filter(([name]) =>
      JSON.stringify(shownResources).includes(`\${${name}}`),
    );
    const usesPulumi = (code: string, line: string) => (/\bpulumi\./.test(code) ? `${line}\n` : "");
    return [
      [
        "typescript",
        `${usesPulumi(inTypeScript.join(), 'import * as pulumi from "@pulumi/pulumi";')}import { ${kinds.join(", ")} } from "pulumi-buildpipeline";\n\n${inTypeScript.join("\n")}`,
      ],
      [
        "python",
        `${usesPulumi(inPython.join(), "import pulumi")}import pulumi_buildpipeline as buildpipeline\n\n${inPython.join("\n")}`,
      ],
      [
        "go",
        `package main\n\n${imports}\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t${body}\n\t})\n}`,
      ],
      [
        "yaml",
        stringify({
          name: "ci",
          runtime: "yaml",
          ...(settings.length > 0 && { config: Object.fromEntries(settings) }),
          resources: shownResources,
        }).trimEnd(),
      ],
    ];
  }

  /** Returns the name by which that declaration's object is imported; nothing if nobody can name it. */
  importName(kind: AnyKind, declared = this.declaration(kind.name)): string | undefined {
    const parent = parentKindOf(kind);
    if (declared === undefined) return undefined;
    const { properties } = declared;
    const referred = this.#references(declared);
    const inParent = String(properties[kind.parent?.argument ?? ""]);
    const owner = referred.find(({ name }) => inParent.startsWith(`\${${name}.`));
    const place = parent && owner ? (this.importName(parent, owner) ?? "") : "";
    if (kind.importing === undefined) return place || undefined;
    // Slugs follow from names. What has no name of its own is named by the other object that it refers to.
    const slug = String(properties.name).toLowerCase().replaceAll(" ", "-");
    const own = kind.importing.names({ ...properties, slug, actor: {} }).find((name) => name != null);
    const other = referred.find((one) => one !== owner);
    const otherKind = other && kindNamed(other.kind);
    return importName(place, own ?? (otherKind && this.importName(otherKind, other)) ?? UUID);
  }

  #setOf(declared: Declaration): Programs {
    const set = this.#sets.find(({ declarations }) => declarations.includes(declared));
    if (set === undefined) throw new Error(`No program declares ${declared.name}.`);
    return set;
  }

  #withReferences(declared: Declaration): Declaration[] {
    const referred = this.#references(declared).flatMap((other) => this.#withReferences(other));
    return [...new Set([...referred, declared])];
  }

  #references(declared: Declaration): Declaration[] {
    const names = [...JSON.stringify(declared.properties).matchAll(/\$\{([\w-]+)\./g)].map(
      ([, name]) => name,
    );
    return this.#setOf(declared).declarations.filter(({ name }) => names.includes(name));
  }
}
