import { posix } from "node:path";
import ts from "typescript";
import { emulator } from "../../support/command-service.js";
import { Driver } from "../../support/driver.js";
import { programs, read } from "./adopting.js";

type Properties = Record<string, unknown>;

/** A resource of a program that runs without an engine. */
class Declared {
  constructor(
    readonly args: Properties,
    readonly id: string,
  ) {}
}

interface Program {
  /** Texts of its modules by their paths. */
  readonly modules: Readonly<Record<string, string>>;
  readText(path: string): string;
  /** Returns the id of a resource. Default: its kind and name. */
  idOf?(key: string): string;
}

/** Runs a program of TypeScript, and returns the arguments that it declares, by kind and name. */
export function declaredBy({ modules, readText, idOf = (key) => key }: Program): Map<string, Properties> {
  const found = new Map<string, Properties>();
  const classes = new Proxy(
    {},
    {
      get: (_, kind: string) =>
        class extends Declared {
          constructor(name: string, args: Properties) {
            const key = `${kind} ${name}`;
            if (found.has(key)) throw new Error(`${key} is declared twice`);
            super(args, idOf(key));
            found.set(key, Object(resolved(args)));
          }
        },
    },
  );
  const loaded = new Map<string, object>();
  const load = (path: string): object => {
    const known = loaded.get(path);
    if (known !== undefined) return known;
    const module = { exports: {} };
    loaded.set(path, module.exports);
    const { outputText } = ts.transpileModule(modules[path] ?? "", {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    const require = (name: string) => {
      if (name === "node:fs") return { readFileSync: readText };
      return name.startsWith(".") ? load(`${posix.join(posix.dirname(path), name)}.ts`) : classes;
    };
    new Function("require", "module", "exports", outputText)(require, module, module.exports);
    return module.exports;
  };
  load("index.ts");
  return found;
}

/** Returns arguments as the engine gives them to the provider. */
function resolved(value: unknown): unknown {
  if (value instanceof Declared) return value.id;
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.map(([name, one]) => [name, resolved(one)]));
}

interface Imported {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** Returns what a preview of the program that `adopt` wrote would change in what its import file has. */
export async function changes(): Promise<string[]> {
  const { resources }: { resources: Imported[] } = JSON.parse(read("import.json"));
  const kindIn = (type: string) => type.slice(type.lastIndexOf(":") + 1);
  const ids = new Map(resources.map(({ type, name, id }) => [`${kindIn(type)} ${name}`, id]));
  const found = declaredBy({ modules: programs(), readText: read, idOf: (key) => ids.get(key) ?? "" });
  const driver = Driver.for(emulator);
  const said: string[] = [...found.keys()].filter((key) => !ids.has(key));
  for (const { type, name, id, inputs, outputs } of resources) {
    const args = found.get(`${kindIn(type)} ${name}`);
    const { __provider: _, ...outs } = outputs;
    const provider = await driver.kind(kindIn(type));
    const { inputs: wanted = {}, failures = [] } = await provider.check(inputs, args ?? {});
    const { changes: isChanged } = await provider.diff(id, outs, wanted);
    if (args === undefined || isChanged || failures.length > 0)
      said.push(`${type} ${name}: ${JSON.stringify({ args, inputs, failures })}`);
  }
  return said;
}
