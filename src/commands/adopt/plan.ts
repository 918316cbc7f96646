import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { listReadable } from "../../cli/inventory/listing.js";
import type { LiveObject } from "../../cli/inventory/live-object.js";
import { compareOwnership } from "../../cli/inventory/ownership.js";
import { setSecret } from "../../cli/pulumi/pulumi.js";
import type { StateResource } from "../../cli/pulumi/stack-export.js";
import { type Connected, connected } from "../../cli/terminal/connection.js";
import { note, progress } from "../../cli/terminal/terminal.js";
import { type AnyKind, kinds } from "../../provider/for-commands/kinds.js";
import { needsToken, unreadableSecrets } from "../../provider/for-commands/objects.js";
import { counted } from "../../shared/messages/nouns.js";
import type { Backend } from "../../shared/protocol/type-token.js";
import { adopt, type Share } from "./adoption.js";
import {
  backendOf,
  type ExistingProject,
  readProject,
  requireExtensible,
  requireOwnImports,
  resourcesInStack,
} from "./existing-project.js";
import { LAUNCHER, type Language, projectName } from "./languages/project-files.js";
import { nextSteps } from "./next-steps.js";
import { Owners } from "./owners.js";
import { dependencyFor } from "./package-source.js";
import type { FileChange } from "./placement.js";
import {
  remarksOn,
  remarksOnCredentials,
  remarksOnDifferences,
  remarksOnPlugin,
  tableOf,
} from "./remarks.js";
import { isSelected, kindsNeededBy, requireOwners, type Selection, selectedKinds } from "./selection.js";
import { projectsIn, type SplitRule, selectorsOf, sharesOf } from "./split.js";

/** With more objects of a kind, the lists within them are read if `--only` asks for that: each is a request. */
const MOST_LISTS = 200;

interface PlanOptions extends Selection {
  readonly others: readonly StateResource[];
  readonly stack?: string;
  readonly native: boolean;
  readonly secretsToConfig: boolean;
  readonly language: Language;
  /** Rules that assign objects to several projects in the folder. Empty: the folder is one project. */
  readonly split: readonly SplitRule[];
}

export type AdoptionPlan = Awaited<ReturnType<typeof planAdoption>>;

/** Reads an organization, and plans the files that bring its objects into a folder. Writes nothing. */
export async function planAdoption(folder: string, options: PlanOptions) {
  const { stack, language, split, native, secretsToConfig: hidesCredentials } = options;
  const isSplit = split.length > 0;
  const projects = isSplit ? projectsIn(folder, language) : [readProject(folder)];
  // Of several projects, most may get no objects.
  if (!isSplit) for (const project of projects) requireExtensible(project, language);
  const existing = projects.filter(({ settings }) => settings !== undefined);
  const backend = language.file === undefined ? backendFor(projects, native) : "plugin";
  const project = { stack, directory: existing[0]?.directory };
  const source = await connected(project, (connection) => readSource(connection, options, backend));
  const { organization, found, objects, observer, settings, requests } = source;
  // Stacks are read after the organization, so that they have what a deployment records meanwhile.
  const states: Pick<Share, "project" | "inStack">[] = [];
  const differences: string[] = [];
  for (const project of projects) {
    if (isSplit) progress(`Stacks read: ${states.length} of ${projects.length}`);
    const inStack = project.settings ? await resourcesInStack(project, stack) : undefined;
    states.push({ project, inStack });
    const ofRead = (inStack ?? []).filter(({ kind }) => source.kinds.has(kind));
    const { gone } = compareOwnership(source.listing, ofRead, source.observer.origin);
    const urns = new Set(gone.map(({ urn }) => urn));
    differences.push(...(await remarksOnDifferences(ofRead, source.found, urns)));
  }
  const inStacks = [...options.others, ...states.flatMap(({ inStack = [] }) => inStack)];
  const owned = new Set(inStacks.flatMap(({ external, key }) => (external ? [] : key)));
  await requireOwnImports(
    states.flatMap(({ project, inStack }) => (inStack === undefined ? [] : project)),
    owned,
  );
  const refreshes = settings.values.accessToken?.from === "environment";
  const whole = { folder: ".", name: basename(folder), objects, exports: new Set<string>() };
  const shares = isSplit
    ? sharesOf(objects, source.owners, split, states, folder)
    : states.map((state) => ({ ...state, ...whole }));
  const { unread } = source;
  const run = { owned, organization, observer, backend, language, refreshes, hidesCredentials, unread };
  const adoptions = adopt(shares, run);
  const adopted = adoptions.flatMap((one) => one.adopted);
  const leftOut = adoptions.flatMap((one) => one.leftOut);
  const refused = new Set(leftOut.map(({ object }) => object.key));
  const reasonOf = (object: LiveObject) =>
    source.reasonOf(object) ?? (refused.has(object.key) ? "can't be declared" : "declared already");
  const files = adoptions.flatMap((one) => one.files);
  return {
    adopted,
    leftOut,
    /** Sentences on what was not read, which are printed already. */
    unread: source.remarks,
    /** What was found, written and left out, a row for each resource type. */
    table: tableOf(source.found, new Set(adopted.map(({ object }) => object.key)), reasonOf),
    files: isSplit && files.length > 0 ? [...files, ...installationIn(folder)] : files,
    backend,
    /** Folders of the projects that get resources, in the order in which they are imported. */
    folders: adoptions
      .filter((one) => !isSplit || one.adopted.length > 0)
      .map((one) => join(folder, one.folder)),
    isProject: existing.length > 0,
    /** What the program declares differently from what exists: a paragraph for each stack. */
    differences,
    /** Values that the import file cannot have, with the edits that add them: a paragraph each. */
    remarks: [
      ...remarksOnCredentials(adopted, hidesCredentials),
      ...remarksOn(adopted.map(({ object }) => object)),
      ...(backend === "plugin" ? new Set(existing.flatMap(remarksOnPlugin)) : []),
    ],
    /** Sets the secrets whose values are known, of projects that have a stack: the others' commands are printed. */
    async setSecrets() {
      for (const { folder: own, hasStack, secrets } of adoptions)
        for (const secret of hasStack ? secrets.splice(0) : [])
          if (secret.value === undefined) secrets.push(secret);
          else await setSecret({ directory: join(folder, own), stack }, secret.key, secret.value);
    },
    /** Returns the commands that import the objects. They depend on the files that are there by then. */
    steps: () => nextSteps(folder, adoptions, { isSplit, stack, settings }),
    organization,
    /** How many objects the organization has. */
    objectCount: found.length,
    requests,
    refreshes,
  };
}

/** Reads the selected objects that no other stack owns, and their observer as far as the import file needs that. */
async function readSource(
  { client, origin, traffic, settings, onProgress }: Connected,
  { others, split, ...selection }: PlanOptions,
  backend: Backend,
) {
  const isAsked = ({ name }: AnyKind) => selection.only.some(({ kind }) => kind === name);
  const selected = selectedKinds(selection);
  const selectors = [...selection.only, ...selection.except, ...selectorsOf(split)];
  const needed = kindsNeededBy(selectors, selected);
  const wanted = new Set([...selected, ...needed]);
  // A program needs what nobody can read from its configuration.
  const isLeft = (kind: AnyKind) => unreadableSecrets(kind).length > 0 && !isAsked(kind);
  const left = [...kinds.values()].filter((kind) => wanted.has(kind.name) && isLeft(kind));
  for (const { name } of left) wanted.delete(name);
  const isTooMuch = (kind: AnyKind, lists: number) =>
    kind.requires === "newer API" && lists > MOST_LISTS && !isAsked(kind) && !needed.has(kind.name);
  const options = { kinds: wanted, isTooMuch, onProgress };
  const { listing, remarks, refusedInWords } = await listReadable(client, options, isAsked);
  const unread = [...needed].filter((name) => listing.unread.has(name));
  if (unread.length > 0)
    throw new Error(`Nothing shows who owns what, without ${unread.join(", ")}. ${remarks.join(" ")}`);
  const owners = new Owners(listing.objects);
  if (needed.size > 0) requireOwners(selectors, owners);
  // The plugin reads what it imports, and then writes the marks itself.
  const isHidden = ({ kind, observed }: LiveObject) => needsToken(kind, observed);
  const namesToken = backend === "dynamic" && listing.objects.some(isHidden);
  const token = namesToken ? await client.accessToken.get().catch(() => undefined) : undefined;
  const owned = new Set(others.flatMap(({ external, key }) => (external ? [] : [key])));
  const free = listing.objects.filter(
    (object) => isSelected(selection, object, owners) && !owned.has(object.key),
  );
  // The contents of another stack's cluster probably belong to its team.
  const isInside = ({ parent }: LiveObject) => parent !== undefined && owned.has(parent.key);
  const inside = selection.only.length === 0 ? free.filter(isInside) : [];
  for (const remark of remarks) note(remark);
  for (const { name } of left)
    note(`Not read: ${name}, because the API doesn't return its values. --only ${name} reads the rest.`);
  if (inside.length > 0) {
    const nouns = new Set(inside.map(({ parent }) => `${parent?.kind.words.noun}s`));
    note(
      `Left out: ${counted(inside.length, "object")} in ${[...nouns].join(" or ")} that other stacks own. ` +
        "--only imports such objects.",
    );
  }
  return {
    organization: listing.organization,
    listing,
    /** Names of the resource types that were read and selected. */
    kinds: selected,
    found: listing.objects.filter(({ kind }) => selected.has(kind.name)),
    owners,
    objects: free.filter((object) => !inside.includes(object)),
    /** Returns why an object was left out before the program was planned; undefined if it wasn't. */
    reasonOf: (object: LiveObject): string | undefined => {
      if (owned.has(object.key)) return "in other stacks";
      if (inside.includes(object)) return `in a ${object.parent?.kind.words.noun} of another stack`;
      return free.includes(object) ? undefined : "not selected";
    },
    unread: [
      ...left.map(({ name }) => `${name}: not read, because the API has no values of it`),
      ...refusedInWords,
    ],
    remarks,
    observer: { origin, tokenId: token?.uuid },
    settings,
    requests: traffic.requests,
  };
}

/** A program stays with the backend that it has. */
function backendFor(projects: readonly ExistingProject[], native: boolean): Backend {
  const present = projects.map(backendOf).find((backend) => backend !== undefined);
  if (native && present === "dynamic") {
    throw new Error(
      "The program here imports from pulumi-buildpipeline. Omit --native, or change the program to " +
        "pulumi-buildpipeline/native first. docs/explain/plugin.md shows how; no resource changes.",
    );
  }
  return present ?? (native ? "plugin" : "dynamic");
}

/** Returns the files that a folder lacks so that all projects in it have one installation. */
function installationIn(folder: string): FileChange[] {
  const name = projectName(basename(folder)).toLowerCase();
  const devDependencies = { ...LAUNCHER, "pulumi-buildpipeline": dependencyFor(folder, folder) };
  const manifest = { name, private: true, workspaces: ["*"], devDependencies };
  const files = {
    "package.json": `${JSON.stringify(manifest, undefined, 2)}\n`,
    ".gitignore": "node_modules/\n",
  };
  return Object.entries(files)
    .filter(([path]) => !existsSync(join(folder, path)))
    .map(([path, after]) => ({ path, before: undefined, after }));
}
