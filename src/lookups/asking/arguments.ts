import * as pulumi from "@pulumi/pulumi";
import { Obstacle } from "./obstacle.js";

/** Arguments of a lookup's `…Output` twin: each may be an Output. A cluster may be given itself in place of its id. */
export type InputsOf<Args> = {
  [Name in keyof Args]: InputOf<Args[Name]> | (Name extends "clusterId" ? pulumi.CustomResource : never);
};

/** A Date has no Output: it would not survive in one. */
type InputOf<Value> =
  | pulumi.Input<Exclude<Value, Date>>
  | Extract<Value, Date>
  | (Extract<Value, readonly string[]> extends never ? never : pulumi.Input<string>[]);

/** The one way in which something was asked for, among several. */
export interface Way<Name extends string> {
  readonly way: Name;
  readonly value: string;
}

/** Picks the one argument that is given out of those that exclude each other. */
export function oneWay<Name extends string>(
  args: { readonly [Each in Name]?: string | undefined },
  names: readonly Name[],
): Way<Name> {
  const given = names.filter((name) => args[name] !== undefined);
  const [way] = given;
  if (way === undefined || given.length > 1) {
    const count = given.length === 0 ? "none was" : `${given.join(" and ")} were`;
    throw new Obstacle(`give exactly one of ${names.join(", ")}; ${count} given.`);
  }
  return { way, value: text(way, args[way]) };
}

/** An argument that must be text and not empty. Programs without types, and Outputs in them, come this far. */
export function text(name: string, value: unknown): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  if (pulumi.Output.isInstance(value) || pulumi.Resource.isInstance(value) || value instanceof Promise) {
    throw new Obstacle(`${name} must be known text; Outputs and resources go to the lookup's …Output form.`);
  }
  throw new Obstacle(
    `${name} is ${value === undefined ? "missing" : typeof value === "string" ? "empty" : "no text"}.`,
  );
}

/** An argument that must be a whole number from 1. */
export function positive(name: string, value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  throw new Obstacle(`${name} must be a whole number from 1.`);
}

/** Prepares arguments for `pulumi.output`, which keeps resources as they are and takes Dates to pieces. */
export function asInputs(args: object): pulumi.Inputs {
  const inputs: pulumi.Inputs = {};
  for (const [name, value] of Object.entries(args)) {
    if (value instanceof Date) inputs[name] = instant(name, value);
    else if (pulumi.CustomResource.isInstance(value)) inputs[name] = value.id;
    else inputs[name] = value;
  }
  return inputs;
}

/** A point in time as the service takes it. */
export function instant(name: string, time: Date | string): string {
  if (typeof time === "string") return time;
  if (Number.isNaN(time.getTime())) throw new Obstacle(`${name} is not a valid date.`);
  return time.toISOString();
}

/** Arguments as a message shows them. Values that came from a secret are not shown. */
export function spell(args: object, secret: boolean): string {
  const entries = Object.entries(args).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return "";
  return `{ ${entries.map(([name, value]) => `${name}: ${secret ? "[secret]" : spellValue(value)}`).join(", ")} }`;
}

function spellValue(value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return JSON.stringify(value);
  if (value instanceof Date) return "a Date";
  if (Array.isArray(value)) return `[${value.map(spellValue).join(", ")}]`;
  return pulumi.Output.isInstance(value) ? "an Output" : "{…}";
}
