import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { identityOf, isSameObject } from "../../shared/protocol/identity.js";
import { type Address, type Context, foundFirst, type Reads } from "../kind/behavior.js";
import { canonicalSet } from "../kind/canonical.js";
import {
  color,
  distinctSlug,
  emoji,
  optionalText,
  problemOfUuid,
  property,
  requiredText,
  yamlList,
} from "../kind/fields.js";
import type { Kind } from "../kind/kind.js";
import { loses, nothing, opensInside, slows, when } from "../kind/review.js";
import { list, text } from "../kind/shape.js";
import { type Get, get } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";

/** Arguments of a {@link Suite}. */
export interface SuiteArgs {
  /** Name of the suite. Required, not blank. Changing it updates in place. */
  name: pulumi.Input<string>;
  /**
   * Branch of the trends that are shown by default; data is collected for all runs. Required. Changing it updates in place.
   * @example "main"
   */
  defaultBranch: pulumi.Input<string>;
  /**
   * UUIDs of the teams that have access. Needed if the organization uses teams. The API takes it only when it creates the
   * suite, so changing it later is an error that names the alternatives, and so is adding it again after you removed it.
   * Removing it changes nothing. If the new ids come from a team that this deployment replaces, the provider warns, and
   * only the state gets the new ids. Default: none.
   */
  teamIds?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Name of the application under test. Default: none. Changing it updates in place; leaving it out clears it. */
  applicationName?: pulumi.Input<string | undefined>;
  /** Color: `#rrggbb` or `#rgb`. Default: none. Changing it updates in place; leaving it out clears it. */
  color?: pulumi.Input<string | undefined>;
  /**
   * Emoji in emoji syntax, or one emoji character. Default: none. Changing it updates in place; leaving it out
   * clears it.
   */
  emoji?: pulumi.Input<string | undefined>;
  /**
   * Which OIDC tokens may upload to the suite: YAML text, or a plain array of statements. Without this argument, Pulumi
   * doesn't manage the policy. Changing it updates in place; leaving it out after it was given removes the policy.
   * @example [{ iss: "https://agent.buildkite.com", scopes: ["write_suites"] }]
   */
  oidcPolicy?: pulumi.Input<string | { [key: string]: unknown }[] | undefined>;
}

/**
 * A test suite. Needs the scopes `read_suites` and `write_suites`. Its id is a UUID; the API addresses a suite by its
 * slug, which follows its name.
 *
 * State keeps the suite's API token, encrypted, as the output `apiToken`. Buildkite's pages don't say what a deletion does to
 * the suite's runs.
 *
 * `{ import: "<slug|uuid>" }` imports an existing suite; its API token stays unknown.
 *
 * @example
 * ```ts
 * const unit = new Suite("unit", { name: "Unit tests", defaultBranch: "main", teamIds: [platform.id] });
 * export const apiToken = unit.apiToken;
 * ```
 */
export class Suite extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:Suite";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<Suite>(Suite.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "Suite",
    words: { noun: "suite", full: "test suite", label: "name" },
    section: "suites",
    scopes: { read: [["read_suites"]], write: [["write_suites"]] },
    arguments: {
      name: { ...requiredText, review: nothing, ...property("name") },
      defaultBranch: { ...requiredText, review: nothing, ...property("default_branch") },
      teamIds: {
        shape: list(text(problemOfUuid)),
        expected: "a list of the UUIDs of teams",
        review: nothing,
        refersTo: "Team",
        whenOmitted: "ignored",
        sentAs: "team_ids",
        creationOnly:
          "counts only when the suite is created; the API cannot change it afterwards. Change the teams in the web " +
          'interface and add ignoreChanges: ["teamIds"] to the resource\'s options.',
        canonical: (ids: readonly string[] | undefined) => canonicalSet(ids?.map(identityOf)),
      },
      applicationName: {
        ...optionalText,
        review: nothing,
        ...property("application_name"),
        mayBeLeftOut: "in lists",
      },
      color: { ...color, ...property("color"), mayBeLeftOut: "in lists" },
      emoji: { ...emoji, ...property("emoji"), mayBeLeftOut: "in lists" },
      oidcPolicy: {
        ...yamlList("- iss: https://agent.buildkite.com"),
        review: when({
          set: opensInside("{accepts|accept} the OIDC tokens that {its policy names|their policies name}"),
          changed: opensInside("{accepts|accept} other OIDC tokens"),
          cleared: slows("no longer {accepts|accept} OIDC tokens"),
        }),
        whenOmitted: "unmanaged",
        mayBeLeftOut: "anywhere",
        clearedBy: null,
        ...property("oidc_policy"),
      },
    },
    review: {
      usedBy: "runs",
      deleted: [
        loses(
          "{is|are} deleted with {its|their} runs, and {its API token stops|their API tokens stop} working",
        ),
      ],
      vanished: {
        lost: "Its runs are deleted, and its API token stopped working.",
        remains: "A new suite has another id and API token, and no runs.",
      },
    },
    outputs: {
      graphqlId: { returnedAs: "graphql_id" },
      slug: { returnedAs: "slug", spells: "name" },
      url: { returnedAs: "url", spells: "name" },
      webUrl: { returnedAs: "web_url", spells: "name" },
      apiToken: { returnedAs: "api_token", secret: "once" },
    },
    identify: (suite) => suite.id,
    once: distinctSlug("suites"),
    importing: {
      form: "<suite slug|uuid>",
      names: (suite) => [suite.slug],
      judged: () => ({
        warnings: [
          "the API returns a suite's API token only at creation, so the output `apiToken` is undefined. " +
            "Copy it from the web interface where you need it.",
        ],
      }),
      remarks: [
        {
          words:
            "The API tokens of {objects} cannot be read back: the output `apiToken` is undefined. Copy one from the web " +
            "interface where you need it.",
        },
      ],
    },
    behavior: {
      list: ({ client, signal }) => client.suites.list({ signal }),
      get: suiteOfSlug,
      create: ({ client }, _, body, options) =>
        client.suites.create({ ...body, show_api_token: true }, options),
      ...foundFirst(findSuite, {
        update: ({ client }, { slug }, body: api.SuiteUpdate, options) =>
          client.suites.update(slug, body, options),
        delete: ({ client }, { slug }, options) => client.suites.delete(slug, options),
      }),
    },
  } satisfies Kind<SuiteArgs, Suite, api.Suite, api.SuiteCreate, api.SuiteUpdate>;

  /** Name of the suite. */
  declare readonly name: pulumi.Output<string>;
  /** Branch with the trends that are shown by default. */
  declare readonly defaultBranch: pulumi.Output<string>;
  /** UUIDs of the teams that had access when the suite was created. */
  declare readonly teamIds: pulumi.Output<string[] | undefined>;
  /** Name of the application under test. */
  declare readonly applicationName: pulumi.Output<string | undefined>;
  /** Hex color code. */
  declare readonly color: pulumi.Output<string | undefined>;
  /** Emoji. */
  declare readonly emoji: pulumi.Output<string | undefined>;
  /** Which OIDC tokens may upload to the suite, as YAML text; when it is not managed, as of the last read. */
  declare readonly oidcPolicy: pulumi.Output<string | undefined>;
  /** Slug of the organization the suite is in. */
  declare readonly organization: pulumi.Output<string>;
  /** Opaque id for the service's GraphQL interface. */
  declare readonly graphqlId: pulumi.Output<string>;
  /** Slug by which the service addresses the suite. */
  declare readonly slug: pulumi.Output<string>;
  /** API URL. */
  declare readonly url: pulumi.Output<string>;
  /** Address in the web interface. */
  declare readonly webUrl: pulumi.Output<string>;
  /** The suite's API token, encrypted in state; undefined when the suite was imported or only read. */
  declare readonly apiToken: pulumi.Output<string | undefined>;

  /**
   * Reads an existing suite, without its API token, and without managing it. A missing one is an error.
   * @example Suite.get("unit", suiteUuid)
   */
  static readonly get: Get<SuiteArgs, Suite> = get;

  constructor(name: string, args: SuiteArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

/** Returns the suite with the slug in state, if its id matches: a rename may have given the slug to another one. */
async function suiteOfSlug(
  { client }: Reads,
  { id, known }: Address<"slug">,
): Promise<api.Suite | undefined> {
  if (typeof known.slug !== "string") return undefined;
  const suite = await client.suites.get(known.slug);
  return isSameObject(suite.id, id) ? suite : undefined;
}

/** Returns the suite with this id, whatever its slug is now. */
async function findSuite(context: Context, address: Address<"slug">): Promise<api.Suite | undefined> {
  try {
    const suite = await suiteOfSlug(context, address);
    if (suite !== undefined) return suite;
  } catch (error) {
    if (context.status(error) !== 404) throw error;
  }
  for await (const suite of context.client.suites.list())
    if (isSameObject(suite.id, address.id)) return suite;
  return undefined;
}
