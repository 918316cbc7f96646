import type * as pulumi from "@pulumi/pulumi";
import type { Emulator } from "../../../src/emulator/index.js";
import type { Colleague } from "../../colleague.js";
import type { Classes } from "../backends.js";
import { agentTokenCase } from "./agent-token.js";
import { clusterCase } from "./cluster.js";
import { clusterDefaultQueueCase } from "./cluster-default-queue.js";
import type { Change, Drift, KindCase, Surroundings, TestedElsewhere, Wire } from "./kind-case.js";
import { pipelineTemplateCase } from "./pipeline-template.js";
import { queueCase } from "./queue.js";
import { suiteCase } from "./suite.js";
import { teamCase } from "./team.js";

/** A resource of one type in a program that has one of each, and its object on the service. */
export interface Subject {
  /** The resource type, and the resource's name in the program. */
  readonly kind: string;
  readonly declare: (classes: Classes, declaration?: Declaration) => pulumi.Resource;
  /** Reads an object that the program doesn't manage. */
  readonly get: (classes: Classes, name: string, id: string) => pulumi.Resource;
  /** The arguments with their changes, except those that are tested elsewhere. */
  readonly changes: readonly ArgumentChanges[];
  readonly path: (id: string, slug?: string) => string;
  readonly list: string;
  readonly onService: Wire;
  readonly updateMethod: "PUT" | "PATCH";
  readonly drifts: readonly Drift[];
  /** Missing where the option `import` does not exist. */
  readonly importing: Importing | undefined;
}

/** How a declaration differs from the one that a program has by default. */
export interface Declaration {
  readonly name?: string;
  /** Part of the name of another object, which exists alongside the first. */
  readonly another?: string | undefined;
  /** Arguments with other values. */
  readonly changed?: Wire;
  readonly import?: string;
}

/** An argument, and its changes one after the other. */
export interface ArgumentChanges {
  readonly argument: string;
  readonly changes: readonly Change<unknown>[];
}

export interface Importing {
  /** Creates an object out of band, with the same content as the arguments. `form` is what `import` takes. */
  readonly byHand: () => Promise<{ readonly id: string; readonly form: string }>;
  /** Arguments that differ from that object. */
  readonly mismatch: Wire;
  /** Arguments that the API doesn't return. */
  readonly unreturned: Wire;
}

/** Makes what the resources need around them, each type its own, and describes one resource of each type. */
export function everyKind(colleague: Colleague): Promise<readonly Subject[]> {
  return Promise.all([
    subject(clusterCase, colleague),
    subject(queueCase, colleague),
    subject(clusterDefaultQueueCase, colleague),
    subject(agentTokenCase, colleague),
    subject(pipelineTemplateCase, colleague),
    subject(teamCase, colleague),
    subject(suiteCase, colleague),
  ]);
}

/** Returns the objects of every resource type that the service has, as it stores them. */
export function objectsOf({ organizationData }: Emulator): readonly object[] {
  const { agentTokens, clusters, pipelineTemplates, queues, suites, teams } = organizationData;
  const collections = [agentTokens, clusters, pipelineTemplates, queues, suites, teams];
  return collections.flatMap((collection): readonly object[] => collection.list());
}

async function subject<Args extends object>(
  kindCase: KindCase<Args>,
  colleague: Colleague,
): Promise<Subject> {
  const around: Surroundings = (await kindCase.surroundings?.(colleague)) ?? {};
  const args = kindCase.args(around);
  const { kind, declare, get, path, list, onService, updateMethod, drifts } = kindCase;
  return {
    kind,
    declare: (classes, { name = kind, another, changed, import: form } = {}) => {
      const own = another === undefined ? args : otherArguments(kindCase, args, another);
      return declare(classes, name, { ...own, ...changed }, form === undefined ? {} : { import: form });
    },
    get: (classes, name, id) => get(classes, name, id, args),
    changes: Object.entries<readonly Change<unknown>[] | TestedElsewhere>(kindCase.changes(around)).flatMap(
      ([argument, changes]) => ("testedBy" in changes ? [] : [{ argument, changes }]),
    ),
    path: (id, slug) => path(around, id, slug),
    list: list(around),
    onService: onService(around),
    updateMethod,
    drifts,
    importing: importing(kindCase, around, colleague),
  };
}

function otherArguments<Args extends object>({ kind, another }: KindCase<Args>, args: Args, name: string) {
  if (another === undefined) throw new Error(`${kind} has no arguments of another object.`);
  return another(args, name);
}

function importing<Args extends object>(
  { importName, byHand, mismatch, unreturned = {}, idField = "id" }: KindCase<Args>,
  around: Surroundings,
  colleague: Colleague,
): Importing | undefined {
  if (importName === undefined || byHand === undefined || mismatch === undefined) return undefined;
  return {
    byHand: async () => {
      const object = await byHand(colleague, around);
      return { id: String(object[idField]), form: importName(around, object) };
    },
    mismatch: Object.fromEntries(Object.entries(mismatch)),
    unreturned: Object.fromEntries(Object.entries(unreturned)),
  };
}
