import { posix } from "node:path";
import ts from "typescript";
import { expect } from "vitest";
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

const kindIn = (type: string) => type.slice(type.lastIndexOf(":") + 1);

/** Returns what the import file of `adopt` has. */
export function imported(): Imported[] {
  const { resources }: { resources: Imported[] } = JSON.parse(read("import.json"));
  return resources;
}

/** Changes an argument of an imported object on the service, as somebody else would. */
export async function change({ type, id, inputs, outputs }: Imported, change: Properties): Promise<void> {
  const provider = await Driver.for(emulator).kind(kindIn(type));
  const { __provider: _, ...outs } = outputs;
  const { inputs: wanted = {}, failures } = await provider.check(inputs, { ...inputs, ...change });
  expect(failures).toEqual([]);
  await provider.update(id, outs, wanted);
}

/** Returns what a preview of the program that `adopt` wrote would change in what was imported, after a refresh or without. */
export async function changes(isRefreshed = false): Promise<string[]> {
  const resources = imported();
  const ids = new Map(resources.map(({ type, name, id }) => [`${kindIn(type)} ${name}`, id]));
  const found = declaredBy({ modules: programs(), readText: read, idOf: (key) => ids.get(key) ?? "" });
  const driver = Driver.for(emulator);
  const said: string[] = [...found.keys()].filter((key) => !ids.has(key));
  for (const { type, name, id, inputs, outputs } of resources) {
    const args = found.get(`${kindIn(type)} ${name}`);
    const recorded = outputs;
    const provider = await driver.kind(kindIn(type));
    const refreshed = isRefreshed ? await provider.read(id, recorded) : { inputs, props: recorded };
    const { inputs: olds = {}, props } = refreshed;
    const { inputs: checked = {}, failures = [] } = await provider.check(olds, args ?? {});
    // Pulumi's host adds it to what it passes on.
    const { __provider } = inputs;
    const [outs, wanted] = [props, checked].map((own) => ({ ...own, __provider }));
    const { changes: isChanged } = await provider.diff(id, outs ?? {}, wanted ?? {});
    if (args === undefined || isChanged !== false || failures.length > 0)
      said.push(`${kindIn(type)} ${name}${isRefreshed ? "" : JSON.stringify({ args, inputs, failures })}`);
  }
  return said;
}
