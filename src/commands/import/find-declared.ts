import { type ImportedResource, withSecrets } from "../../cli/pulumi/import-file.js";
import { objectKey } from "../../cli/pulumi/state.js";
import { kindNamed, kinds } from "../../provider/for-commands/kinds.js";
import {
  findDeclaredObject,
  type ImportMismatch,
  type Session,
  sessionPool,
  unreadableSecrets,
} from "../../provider/for-commands/objects.js";
import {
  CONFIG_NAMESPACE,
  ENVIRONMENT,
  resolveSettings,
  type SettingKey,
  type Settings,
} from "../../shared/configuration/settings.js";
import { isMasked, isUnknown, type Properties } from "../../shared/protocol/encoded-values.js";
import { PROVIDER, SECRETS, secretNames, UNKNOWN_AT_IMPORT } from "../../shared/protocol/properties.js";
import { backendOfType, kindOfUrn } from "../../shared/protocol/type-token.js";
import type { Declared, DeclaredResource } from "./declared-resources.js";
import type { ImportPair } from "./pairs.js";

/** A declared resource, and the object that it is to be. */
export interface FoundResource {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  /** Each value of the program that differs from the service's. */
  readonly differences: readonly string[];
  /** Arguments that nobody can read, so that the next deployment sends them. */
  readonly sends?: readonly string[];
}

interface FindOptions {
  readonly stack: (name: SettingKey) => string | undefined;
  readonly goesOn: boolean;
  readonly onFound: (count: number) => void;
}

/**
 * @returns the resources that an import adds, and their entries with ids and states by the entries of the engine's file
 * @throws where the program lacks a resource, the service lacks an object, or another object is in state
 */
export async function findDeclared(
  declared: Declared,
  pairs: readonly ImportPair[],
  { stack, goesOn, onFound }: FindOptions,
) {
  // Objects of one service share lists.
  const open = sessionPool();
  const sessions = new Set<Session>();
  const found: FoundResource[] = [];
  const imported = new Map<ImportedResource, ImportedResource>();
  const owners = new Map(declared.owners);
  const ids = new Map(declared.inState.map(({ urn, id }) => [urn, id]));
  try {
    for (const [index, pair] of parentsFirst(pairs).entries()) {
      onFound(index);
      const isPair = ({ kind, name }: DeclaredResource) => kind === pair.kind && name === pair.name;
      const known = goesOn ? declared.inState.find(isPair) : undefined;
      const resource = known ?? resourceOf(declared.resources.filter(isPair), pair);
      const inputs = inputsOf(resource, ids);
      const session = open(settingsOf(resource.providerInputs, stack));
      sessions.add(session);
      const { id, entry, mismatched, sends } = await find(session, { ...resource, inputs }, pair);
      if (known !== undefined) {
        requireSame(pair, known, id);
        continue;
      }
      const key = objectKey(pair.kind, id);
      requireFree(pair, id, imported.has(resource.entry) ? pair.name : owners.get(key));
      requireKept(pair, id, mismatched);
      owners.set(key, pair.name);
      ids.set(resource.urn, id);
      imported.set(resource.entry, entry);
      const differences = mismatched.map(({ text }) => text);
      found.push({ type: entry.type, name: pair.name, id, differences, ...(sends.length > 0 && { sends }) });
    }
  } finally {
    for (const { service, settings } of sessions) await service.context(settings.organization).client.close();
  }
  return { found, imported };
}

function parentsFirst(pairs: readonly ImportPair[]): ImportPair[] {
  const order = [...kinds.keys()];
  return pairs.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

/** Returns the inputs of a resource, with the ids of others that a preview can't know and this import does. */
function inputsOf(
  { kind, inputs, propertyDependencies }: DeclaredResource,
  ids: ReadonlyMap<string, string | undefined>,
): DeclaredResource["inputs"] {
  const { parent, arguments: fields = {} } = kindNamed(kind) ?? {};
  const known = Object.entries(fields).flatMap(([argument, { refersTo }]) => {
    const of = argument === parent?.argument ? parent.kind : refersTo;
    const [urn = "", ...others] = propertyDependencies[argument] ?? [];
    const isOne = of !== undefined && others.length === 0 && kindOfUrn(urn) === of;
    const id = isOne && isUnknown(inputs[argument]) ? ids.get(urn) : undefined;
    return id === undefined ? [] : [[argument, id]];
  });
  return { ...inputs, ...Object.fromEntries(known) };
}

function resourceOf(matches: readonly DeclaredResource[], { kind, name }: ImportPair): DeclaredResource {
  const [only] = matches;
  if (only === undefined) {
    throw new Error(
      `The program declares no ${kind} ${JSON.stringify(name)} that is not in the stack's state yet. Declare it first; ` +
        "resources in state need no import.",
    );
  }
  if (matches.length > 1) {
    throw new Error(`The program declares ${matches.length} resources ${kind} ${JSON.stringify(name)}.`);
  }
  return only;
}

function requireSame({ kind, name, importName }: ImportPair, { id }: DeclaredResource, found: string): void {
  if (id?.toLowerCase() === found.toLowerCase()) return;
  throw new Error(
    `${kind} ${JSON.stringify(name)} is ${id} in state, and ${importName} is ${found}. ` +
      "Remove the line, or give the object another name in the program.",
  );
}

/** @throws if the next deployment would replace the object, because it differs where only a new one could be otherwise */
function requireKept(
  { kind, name, importName }: ImportPair,
  id: string,
  mismatched: readonly ImportMismatch[],
): void {
  const fields = kindNamed(kind)?.arguments;
  const replacing = mismatched.filter(({ argument }) => fields?.[argument]?.replaces);
  if (replacing.length === 0) return;
  throw new Error(
    `${importName} is ${id}, which the next deployment would replace, because ${kind} ${JSON.stringify(name)} differs from ` +
      `it, so nothing was imported:${replacing.map(({ text }) => `\n  ${text}`).join("")}\n` +
      "Correct the program, or name another object.",
  );
}

/** @throws if two resources would own one object, which the deletion of either would delete, or one resource two objects */
function requireFree({ kind, name, importName }: ImportPair, found: string, owner: string | undefined): void {
  if (owner === undefined) return;
  if (owner === name) {
    throw new Error(
      `Several lines name ${kind} ${JSON.stringify(name)}, so nothing was imported. Keep one of them.`,
    );
  }
  throw new Error(
    `${importName} is ${found}, which is ${kind} ${JSON.stringify(owner)} already, so nothing was imported: deleting one ` +
      "of two resources would delete the object of both. Declare it once; a renamed resource needs the option `aliases`.",
  );
}

/** @throws when no object has the name, or several have it */
async function find(
  session: Session,
  { inputs, entry }: DeclaredResource,
  { kind: kindName, importName }: ImportPair,
): Promise<{ id: string; entry: ImportedResource; mismatched: readonly ImportMismatch[]; sends: string[] }> {
  const kind = kindNamed(kindName);
  if (kind === undefined) throw new Error(`There is no kind ${kindName}.`);
  // A masked secret counts as what the service has.
  const hidden = new Set(Object.keys(inputs).filter((argument) => isMasked(inputs[argument])));
  // The completed inputs list all secrets, unless a value that is not known yet may be one.
  const declaredSecrets = new Set([...secretNames(inputs), ...hidden]);
  const shown = Object.entries(inputs).filter(([argument]) => !hidden.has(argument));
  const said = {
    ...Object.fromEntries(shown),
    ...(declaredSecrets.size > 0 && { [SECRETS]: [...declaredSecrets] }),
  };
  const found = await findDeclaredObject(session, kind, importName, { declared: inputs, said });
  const { id, ids, observed, state: imported } = found;
  const mismatched = found.mismatched.filter(({ argument }) => !hidden.has(argument));
  const sends = unreadableSecrets(kind).filter((argument) => inputs[argument] !== undefined);
  const unknownAtImport = [...hidden.difference(new Set(sends))].filter(
    (argument) => observed[argument] === undefined,
  );
  const isNative = backendOfType(entry.type) === "plugin";
  const secrets = secretNames(imported.inputs);
  // A plugin reads what it is to import, and doesn't know which values the program keeps secret.
  if (isNative && secrets.size === 0) return { id, mismatched, sends, entry: { ...entry, id: ids } };
  if (unknownAtImport.length > 0 && !isNative) {
    throw new Error(
      `${kindName}.${unknownAtImport.join(", ")}: is secret, and the API doesn't return it, so the state cannot be written. ` +
        "Remove the argument for the import, and add it back in a separate deployment.",
    );
  }
  const inFile = (properties: Properties) => {
    const { [PROVIDER]: reference, ...own } = withSecrets(properties, secrets);
    return isNative ? own : { ...own, [PROVIDER]: reference };
  };
  const inputsInFile = {
    ...inFile(imported.inputs),
    ...(isNative && unknownAtImport.length > 0 && { [UNKNOWN_AT_IMPORT]: unknownAtImport }),
  };
  const state = { inputs: inputsInFile, outputs: inFile(imported.outputs) };
  return { id, mismatched, sends, entry: { ...entry, id, ...state } };
}

/** @throws if the access token that a preview doesn't show would have to be another service's */
function settingsOf(provider: Readonly<Properties> | undefined, stack: FindOptions["stack"]): Settings {
  const ofStack = () => resolveSettings(stack, process.env);
  if (provider === undefined) return ofStack();
  const given = (name: SettingKey) => provider[`${CONFIG_NAMESPACE}:${name}`] ?? provider[name];
  const hidesToken = isMasked(given("accessToken")) || isUnknown(given("accessToken"));
  const variables: Partial<Record<SettingKey, string>> = ENVIRONMENT;
  const settings = resolveSettings((name) => {
    const value = given(name);
    if (isUnknown(value) && name !== "accessToken") {
      throw new Error(`The explicit provider's ${name} is not known yet. Deploy what it depends on first.`);
    }
    if (typeof value === "string" && !(hidesToken && name === "accessToken")) return value;
    const variable = variables[name];
    return (variable && process.env[variable]) || stack(name);
  }, process.env);
  if (!hidesToken) return settings;
  const { baseUrl } = ofStack();
  if (new URL(baseUrl).origin === new URL(settings.baseUrl).origin) return settings;
  throw new Error(
    `The access token of an explicit provider is secret. Its baseUrl is ${settings.baseUrl}, and the access token of ` +
      `this command is for ${baseUrl}, so nothing was sent. Run the command with ` +
      `${ENVIRONMENT.accessToken} and ${ENVIRONMENT.baseUrl} of that provider.`,
  );
}
