import type * as pulumi from "@pulumi/pulumi";
import type { Colleague } from "../../colleague.js";
import type { Classes } from "../backends.js";

export type Wire = Record<string, unknown>;

/** Ids of what a kind needs to exist around it; made by a colleague, outside the stack. */
export type Surroundings = Readonly<Record<string, string>>;

/** Describes a resource type for the tests that run every type on the real engine. */
export interface KindCase<Args extends object> {
  /** Class name. */
  readonly kind: string;
  readonly declare: (
    classes: Classes,
    name: string,
    args: Args,
    opts?: pulumi.CustomResourceOptions & { import?: string },
  ) => pulumi.Resource;
  readonly get: (classes: Classes, name: string, id: string, args: Args) => pulumi.Resource;
  /** Makes what must exist beforehand. */
  readonly surroundings?: (colleague: Colleague) => Promise<Surroundings>;
  /** Arguments in full. */
  readonly args: (around: Surroundings) => Args;
  /** Arguments of another object, which exists beside the first. None where a single argument changes. */
  readonly another?: (args: Args, name: string) => Args;
  /** What the service must have after `args`, in its own spelling. */
  readonly onService: (around: Surroundings) => Wire;
  /**
   * For each argument its changes, one after the other, or where else they are tested. An argument that is missing
   * does not compile.
   */
  readonly changes: (around: Surroundings) => {
    readonly [Name in keyof Args]-?: readonly Change<Args[Name]>[] | TestedElsewhere;
  };
  /** What a colleague changes by hand, and which argument that is drift of. */
  readonly drifts: readonly Drift[];
  /** Where the object is, below the organization. */
  readonly path: (around: Surroundings, id: string, slug?: string) => string;
  /** The list it is in, and the spelling of its id there. */
  readonly list: (around: Surroundings) => string;
  readonly idField?: string;
  readonly updateMethod: "PUT" | "PATCH";
  /** What the option `import` takes for an existing one; left out where the option does not exist. */
  readonly importName?: (around: Surroundings, object: Wire) => string;
  /** Creates one by hand with the same content as `args`. */
  readonly byHand?: (colleague: Colleague, around: Surroundings) => Promise<Wire>;
  /** Arguments of an imported object that the API doesn't return and that `args` lacks. */
  readonly unreturned?: Partial<Args>;
  /** An argument that differs from `args`, for a mismatch. */
  readonly mismatch?: Partial<Args>;
}

/** A change of one argument: to which value, what must happen, and what the service must have then. */
export interface Change<Value> {
  readonly to: Value;
  readonly expect: "update" | "replace";
  readonly onService?: Wire;
}

/** The test of an argument whose changes are not tested with those of every resource type. */
export interface TestedElsewhere {
  readonly testedBy: string;
}

export interface Drift {
  /** Names of the arguments that were changed. */
  readonly of: readonly string[];
  readonly body: Wire;
}
