import type * as pulumi from "@pulumi/pulumi";
import { MASKED } from "../../../shared/protocol/encoded-values.js";
import { sdk } from "../../../shared/protocol/sdk.js";
import { problemOfUuid } from "../../kind/fields.js";
import { LookupFailure } from "./lookup-error.js";

/** Arguments of functions that take none. */
export type NoArguments = Record<string, never>;

/** Arguments of a function's `…Output` form: each may be an Output, and a parent's id the parent resource itself. */
export type OutputArguments<Args, Parent extends keyof Args = never> = {
  [Name in keyof Args]: InputOf<Args[Name]> | (Name extends Parent ? pulumi.CustomResource : never);
};

/** A Date has no Output: it would not survive in one. */
type InputOf<Value> =
  | pulumi.Input<Exclude<Value, Date>>
  | Extract<Value, Date>
  | (Extract<Value, readonly string[]> extends never ? never : pulumi.Input<string>[]);

/** Checks an argument that must be text and not empty. Programs without types can pass Outputs here. */
export function text(name: string, value: unknown): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  if (sdk().Output.isInstance(value) || sdk().Resource.isInstance(value) || value instanceof Promise) {
    throw new LookupFailure(
      `${name} must be known text; Outputs and resources go to the lookup's …Output form.`,
    );
  }
  throw new LookupFailure(
    `${name} is ${value === undefined ? "missing" : typeof value === "string" ? "empty" : "no text"}.`,
  );
}

/** Checks an argument that must be the id of an object. Every id is a UUID. */
export function id(name: string, value: unknown): string {
  const given = text(name, value);
  const problem = problemOfUuid(given);
  if (problem === undefined) return given;
  throw new LookupFailure(
    `${name} ${problem}, so nothing was sent. It takes an id, not a name, key or slug.`,
  );
}

export function positive(name: string, value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  throw new LookupFailure(`${name} must be a whole number from 1.`);
}

export function instant(name: string, time: unknown): string {
  if (typeof time === "string") return time;
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new LookupFailure(`${name} is not a valid date.`);
}

/** Prepares arguments for `pulumi.output`, which does not resolve resources to ids, and takes Dates to pieces. */
export function toInputs(args: object): pulumi.Inputs {
  const inputs: pulumi.Inputs = {};
  for (const [name, value] of Object.entries(args)) {
    if (value instanceof Date) inputs[name] = instant(name, value);
    else if (sdk().CustomResource.isInstance(value)) inputs[name] = value.id;
    else inputs[name] = value;
  }
  return inputs;
}

export function formatArguments(args: object, secret: boolean): string {
  const entries = Object.entries(args).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return "";
  return `{ ${entries.map(([name, value]) => `${name}: ${secret ? MASKED : formatValue(value)}`).join(", ")} }`;
}

function formatValue(value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return JSON.stringify(value);
  if (value instanceof Date) return "a Date";
  if (Array.isArray(value)) return `[${value.map(formatValue).join(", ")}]`;
  return sdk().Output.isInstance(value) ? "an Output" : "{…}";
}
