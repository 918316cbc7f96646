import { CustomResource } from "@pulumi/pulumi/resource.js";
import { typeToken } from "../../shared/protocol/type-token.js";
import type { AnyKind } from "../kind/kind.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";

interface ResourceClass {
  readonly kind: AnyKind;
  readonly get: (...given: never) => CustomResource;
  new (name: string, args: never, opts?: ResourceOptions): CustomResource;
}

/**
 * Returns a class of resources as the plugin serves it. It is no subclass, because the SDK skips a fixed number of
 * constructor frames to find the user's line.
 */
export function served<Class extends ResourceClass>(dynamic: Class): Class {
  const { kind, get } = dynamic;
  class Served extends CustomResource {
    static readonly kind = kind;
    static readonly backend = "plugin";
    static readonly get = get;
    static readonly __pulumiType = typeToken(kind.name, "plugin");
    static override readonly isInstance = instancesOf<CustomResource>(Served.__pulumiType);

    constructor(name: string, args: object, opts?: ResourceOptions) {
      super(...register(new.target, name, args, opts));
      registered(this);
    }
  }
  return Object.defineProperty(Served, "name", { value: kind.name }) as ResourceClass as Class;
}
