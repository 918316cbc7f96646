import type * as pulumi from "@pulumi/pulumi";
import { sdk } from "../../shared/protocol/sdk.js";
import type { ResourceOptions } from "./registration.js";

type Class<Args, Resource> = new (name: string, args: Args, opts?: ResourceOptions) => Resource;
type Id = pulumi.Input<pulumi.ID>;

/** The static method of a class that reads an existing object without managing it. */
export type Get<Args, Resource> = (
  this: Class<Args, Resource>,
  name: string,
  id: Id,
  state?: Partial<Args>,
  opts?: pulumi.CustomResourceOptions,
) => Resource;

/** The same for an object whose id doesn't say what it lives in. */
export type GetIn<Args, Resource, Parent extends keyof Args> = (
  this: Class<Args, Resource>,
  name: string,
  id: Id,
  state: Partial<Args> & Pick<Args, Parent>,
  opts?: pulumi.CustomResourceOptions,
) => Resource;

export const get = getNamed();

/** Returns the method for an object whose id is that of an argument, or of two arguments: `<team uuid>/<user uuid>`. */
export function getNamed(...names: readonly string[]) {
  return function <Args, Resource>(
    this: Class<Args, Resource>,
    name: string,
    id: Id,
    state?: Partial<Args>,
    opts?: pulumi.CustomResourceOptions,
  ): Resource {
    const part = (index: number) => {
      const partOf = (text: string) => text.split("/")[index] ?? "";
      return typeof id === "string" ? partOf(id) : sdk().output(id).apply(partOf);
    };
    const named = Object.fromEntries(names.map((argument, index) => [argument, part(index)]));
    const { import: _, ...rest } = opts ?? {};
    // The API completes what the program doesn't give. Without an id, Pulumi would create an object of the state.
    return new this(name, { ...named, ...state } as Args, { ...rest, id: id ?? "" });
  };
}
