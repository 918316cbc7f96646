import type { CustomResource, ProviderResource } from "@pulumi/pulumi";
import * as dynamic from "../../src/index.js";
import * as plugin from "../../src/provider/native/index.js";
import type * as resources from "../../src/provider/resources/index.js";
import { isWhole } from "../support/cases.js";

/** How a program's resources are served. */
export type Backend = "dynamic" | "plugin";

/** Every test that holds for both backends runs once with each. */
export const backends: readonly Backend[] = ["dynamic", "plugin"];

/** Of both backends, `npm test` plays one. */
export const backendsOr = (usual: Backend): readonly Backend[] => (isWhole ? backends : [usual]);

export type Classes = Pick<
  typeof dynamic,
  (keyof typeof resources & keyof typeof dynamic) | "RotatingAgentToken"
> & { readonly Provider: new (name: string, args?: dynamic.ProviderArgs) => ProviderResource };

export const classesOf: Readonly<Record<Backend, Classes>> = { dynamic, plugin };

/** Declares a resource of a type that is known by its name only. */
export function declare(
  classes: object,
  kind: string,
  name: string,
  args: object,
  options: object = {},
): CustomResource {
  return Reflect.construct(Reflect.get(classes, kind), [name, args, options]);
}
