import * as pulumi from "@pulumi/pulumi";
import { CONFIG_NAMESPACE, type SettingsInput } from "./settings.js";

/** Arguments of a {@link Provider}. What is left out is taken from the environment. */
export interface ProviderArgs {
  /**
   * Access token of the service's API. Kept as a secret, whether it is given as one or not. Default: the
   * environment's `BUILDPIPELINE_ACCESS_TOKEN`.
   */
  accessToken?: pulumi.Input<string | undefined>;
  /** Slug of the organisation. Default: the environment's `BUILDPIPELINE_ORGANIZATION`. */
  organization?: pulumi.Input<string | undefined>;
  /** The service's base address, without `/v2`. Default: the environment's `BUILDPIPELINE_BASE_URL`. */
  baseUrl?: pulumi.Input<string | undefined>;
  /**
   * Whether a change of `organization` may replace what is deployed. Without it such a change is an error at
   * preview, because a mistyped name must not move a whole organisation. Default: false.
   */
  allowOrganizationChange?: pulumi.Input<boolean | undefined>;
}

/**
 * Explicit configuration for some resources, in place of the stack's: for a second organisation, say, or an
 * access token that another resource made.
 *
 * @example
 * ```ts
 * const staging = new Provider("staging", { organization: "acme-staging", accessToken, baseUrl });
 * new Cluster("linux", { name: "Linux" }, { provider: staging });
 * const { clusters } = await getClusters({}, { provider: staging });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  /** @internal */
  readonly settings: pulumi.Output<SettingsInput>;

  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const text = {
      accessToken: pulumi.secret(args.accessToken),
      organization: args.organization,
      baseUrl: args.baseUrl,
      allowOrganizationChange: pulumi
        .output(args.allowOrganizationChange)
        .apply((allow) => (allow === undefined ? undefined : String(allow))),
    };
    const props: pulumi.Inputs = {};
    for (const [key, value] of Object.entries(text)) {
      if (args[key as keyof ProviderArgs] !== undefined) props[`${CONFIG_NAMESPACE}:${key}`] = value;
    }
    super("pulumi-nodejs", name, props, opts);
    this.settings = pulumi.output(text);
  }
}
