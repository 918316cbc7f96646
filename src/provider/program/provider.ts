import * as pulumi from "@pulumi/pulumi";
import { CONFIG_NAMESPACE, type SettingsInput } from "../../shared/configuration/settings.js";

/** Arguments of a {@link Provider}. Omitted ones come from the stack's configuration, then from the environment. */
export interface ProviderArgs {
  /**
   * Access token of the service's API. Kept as a secret, whether it is given as one or not. Default: the stack's
   * `buildpipeline:accessToken`, then the environment's `BUILDPIPELINE_ACCESS_TOKEN`.
   */
  accessToken?: pulumi.Input<string | undefined>;
  /**
   * Slug of the organization. Default: the stack's `buildpipeline:organization`, then the environment's
   * `BUILDPIPELINE_ORGANIZATION`.
   */
  organization?: pulumi.Input<string | undefined>;
  /**
   * The service's base address, without `/v2`. Default: the stack's `buildpipeline:baseUrl`, then the
   * environment's `BUILDPIPELINE_BASE_URL`.
   */
  baseUrl?: pulumi.Input<string | undefined>;
  /**
   * Allows a change of `organization` to replace the deployed resources. Without it such a change is an error at
   * preview, because a mistyped name must not move a whole organization. Default: the stack's
   * `buildpipeline:allowOrganizationChange`, then false.
   */
  allowOrganizationChange?: pulumi.Input<boolean | undefined>;
  /**
   * Skips the checks against the API before a change, in previews and in deployments: scopes, conflicts, imports. Their
   * problems then appear in the deployment. A refresh, functions and `.get` still read the API. Default: the stack's
   * `buildpipeline:offline`, then the environment's `BUILDPIPELINE_OFFLINE`, then false.
   */
  offline?: pulumi.Input<boolean | undefined>;
}

/**
 * Explicit configuration for some resources, in place of the stack's. Examples: a second organization, or an access
 * token that another resource creates.
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
    const text = textOfSettings(args);
    const props: pulumi.Inputs = {};
    for (const [key, value] of Object.entries(text)) props[`${CONFIG_NAMESPACE}:${key}`] = value;
    super("pulumi-nodejs", name, props, opts);
    this.settings = pulumi.output(text);
  }
}

/** Returns the settings of a provider as text. Only values in its own inputs reach its process. */
export function textOfSettings(
  args: ProviderArgs,
): Record<keyof SettingsInput, pulumi.Output<string | undefined>> {
  const stack = new pulumi.Config(CONFIG_NAMESPACE);
  const flag = (name: "allowOrganizationChange" | "offline") =>
    either(
      pulumi.output(args[name]).apply((value) => value?.toString()),
      stack.get(name),
    );
  return {
    accessToken: pulumi.secret(either(args.accessToken, stack.getSecret("accessToken"))),
    organization: either(args.organization, stack.get("organization")),
    baseUrl: either(args.baseUrl, stack.get("baseUrl")),
    allowOrganizationChange: flag("allowOrganizationChange"),
    offline: flag("offline"),
  };
}

function either(
  given: pulumi.Input<string | undefined>,
  fallback: pulumi.Input<string | undefined>,
): pulumi.Output<string | undefined> {
  return pulumi.all([given, fallback]).apply(([value, otherwise]) => value || otherwise);
}
