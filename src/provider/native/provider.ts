import * as pulumi from "@pulumi/pulumi";
import { CONFIG_NAMESPACE } from "../../shared/configuration/settings.js";
import { type ProviderArgs, textOfSettings } from "../program/provider.js";

/**
 * Explicit configuration for some resources, in place of the stack's. Examples: a second organization, or an access
 * token that another resource creates.
 *
 * @example
 * ```ts
 * const staging = new Provider("staging", { organization: "acme-staging", accessToken, baseUrl });
 * new Cluster("linux", { name: "Linux" }, { provider: staging });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    super(CONFIG_NAMESPACE, name, textOfSettings(args), opts);
  }
}
