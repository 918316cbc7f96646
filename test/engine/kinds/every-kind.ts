import type * as pulumi from "@pulumi/pulumi";
import type { Colleague } from "../../colleague.js";
import type { Classes } from "../backends.js";
import { agentTokenCase } from "./agent-token.js";
import { clusterCase } from "./cluster.js";
import { clusterDefaultQueueCase } from "./cluster-default-queue.js";
import type { Drift, KindCase, Surroundings, Wire } from "./kind-case.js";
import { pipelineTemplateCase } from "./pipeline-template.js";
import { queueCase } from "./queue.js";
import { suiteCase } from "./suite.js";
import { teamCase } from "./team.js";

/** A resource of one type in a program that has one of each, and its object on the service. */
export interface Subject {
  /** The resource type, and the resource's name in the program. */
  readonly kind: string;
  readonly declare: (classes: Classes, opts?: pulumi.CustomResourceOptions) => pulumi.Resource;
  /** Declares it with the first of its changes. */
  readonly declareChanged: (classes: Classes) => pulumi.Resource;
  /** The argument of that change, and what it leads to. */
  readonly change: { readonly argument: string; readonly expect: "update" | "replace" };
  readonly path: (id: string, slug?: string) => string;
  readonly list: string;
  readonly idField: string;
  readonly onService: Wire;
  readonly updateMethod: "PUT" | "PATCH";
  readonly drift: Drift | undefined;
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

async function subject<Args extends object>(
  kindCase: KindCase<Args>,
  colleague: Colleague,
): Promise<Subject> {
  const around: Surroundings = (await kindCase.surroundings?.(colleague)) ?? {};
  const args = kindCase.args(around);
  const { kind, declare, path, list, idField = "id", onService, updateMethod, drifts } = kindCase;
  const { argument, to, expect } = firstChange(kindCase, around);
  return {
    kind,
    declare: (classes, opts) => declare(classes, kind, args, opts),
    declareChanged: (classes) => declare(classes, kind, { ...args, [argument]: to }),
    change: { argument, expect },
    path: (id, slug) => path(around, id, slug),
    list: list(around),
    idField,
    onService: onService(around),
    updateMethod,
    drift: drifts[0],
  };
}

/** Returns the first change that a case lists for one of its arguments. */
function firstChange<Args extends object>(kindCase: KindCase<Args>, around: Surroundings) {
  for (const [argument, changes] of Object.entries<
    readonly { to: unknown; expect: "update" | "replace" }[] | object
  >(kindCase.changes(around))) {
    const [first] = Array.isArray(changes) ? changes : [];
    if (first !== undefined) return { argument, to: first.to, expect: first.expect };
  }
  throw new Error(`${kindCase.kind} lists no change.`);
}
