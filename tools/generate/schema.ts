import { type AnyKind, importForm, listKindOf, parentKindOf } from "../../src/provider/for-commands/kinds.js";
import { alphabetically } from "../../src/shared/messages/alphabet.js";
import { capitalized } from "../../src/shared/messages/nouns.js";
import { isOwned } from "../release/placeholder.mjs";
import type { Described, Description, LookupDescription, ResourceDescription } from "./description.js";
import type { Quickstart, Snippets } from "./quickstart.js";
import type { Comment, ObjectType, Property, Type } from "./source.js";

/** What the schema takes from package.json. */
export interface Manifest {
  readonly version: string;
  readonly keywords: readonly string[];
  readonly homepage?: string;
  readonly license: string;
  readonly repository: { readonly url: string };
}

type Json = { [name: string]: unknown };

/** Describes the plugin, where package.json describes the npm package with its dynamic provider. */
const DESCRIPTION =
  "Manage pipelines, clusters, queues, tokens, secrets, teams and test suites of the Build Pipeline Service " +
  "(Buildkite's REST API v2).";

/** The oldest SDK for Python that reads the types of generated code: Pulumi's generator names the same one. */
const OLDEST_PYTHON_SDK = "3.231.0";

const ANYTHING = { $ref: "pulumi.json#/Any" };

/** The plugin's schema, in the form of Pulumi's packages. */
export function schemaOf(
  { resources, components, lookups, settings }: Description,
  manifest: Manifest,
  quickstart: Quickstart,
): Json {
  const types = new Types();
  const secrets = (name: string) => (name === "accessToken" ? { secret: true } : {});
  const repository = manifest.repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
  // Somebody else may take the placeholder's name. The path of the Go module has it, but is fetched from nowhere.
  const hasOwner = isOwned(repository);
  return {
    name: "buildpipeline",
    displayName: "Build Pipeline Service",
    version: manifest.version,
    description: DESCRIPTION,
    // The registry sorts packages by these two.
    keywords: [...manifest.keywords, "kind/native", "category/infrastructure"],
    ...(hasOwner && { homepage: manifest.homepage }),
    license: manifest.license,
    ...(hasOwner && {
      repository,
      pluginDownloadURL: `github://api.github.com${new URL(repository).pathname}`,
    }),
    publisher: "The authors of pulumi-buildpipeline",
    meta: { moduleFormat: "(.*)" },
    language: {
      nodejs: { packageName: "pulumi-buildpipeline/native", respectSchemaVersion: true },
      python: {
        packageName: "pulumi_buildpipeline",
        pyproject: { enabled: true },
        readme: DESCRIPTION,
        requires: { pulumi: `>=${OLDEST_PYTHON_SDK},<4.0.0` },
        respectSchemaVersion: true,
      },
      go: {
        importBasePath: `${repository.replace(/^https:\/\//, "")}/sdk/go/buildpipeline`,
        generateResourceContainerTypes: true,
        respectSchemaVersion: true,
      },
      csharp: { respectSchemaVersion: true },
      java: {},
    },
    config: { variables: types.properties("Config", settings, secrets) },
    provider: {
      description:
        "Explicit configuration for some resources, in place of the stack's. Omitted values come from the " +
        "environment of the plugin.",
      inputProperties: types.properties("Provider", settings.map(withoutStack), secrets),
      type: "object",
    },
    resources: {
      ...named(
        resources,
        ({ kind }) => kind.name,
        (resource) => resourceSpec(resource, types, quickstart),
      ),
      ...named(
        components,
        ({ name }) => name,
        (component) => componentSpec(component, types, quickstart),
      ),
    },
    functions: named(
      lookups,
      ({ name }) => name,
      (lookup) => functionSpec(lookup, types),
    ),
    types: types.all(),
  };
}

/** Only the classes of this package give an explicit provider what the stack's configuration says. */
function withoutStack(setting: Property): Property {
  return { ...setting, documentation: setting.documentation.replace(/the stack's `[^`]+`, then /, "") };
}

function named<Item>(items: readonly Item[], name: (item: Item) => string, spec: (item: Item) => Json): Json {
  return Object.fromEntries(items.map((item) => [token(name(item)), spec(item)]));
}

function token(name: string): string {
  return `buildpipeline:index:${name}`;
}

function resourceSpec(
  { kind, arguments: args, outputs, ...comment }: ResourceDescription,
  types: Types,
  quickstart: Quickstart,
): Json {
  const inputs = types.properties(kind.name, args, (name) => inputFacts(kind, name));
  const required = args.filter(({ name }) => kind.arguments[name]?.whenOmitted === "required");
  return {
    description: `${withExamples(comment, [quickstart.snippets(comment)])}${importSection(kind, quickstart)}`,
    properties: types.properties(kind.name, outputs, (name) =>
      kind.outputs[name]?.secret ? { secret: true } : {},
    ),
    required: outputs.filter(({ optional }) => !optional).map(({ name }) => name),
    inputProperties: inputs,
    requiredInputs: required.map(({ name }) => name),
    stateInputs: {
      description: `Known values of an existing ${kind.words.noun}, to read it by its id.`,
      properties: types.properties(kind.name, args),
      type: "object",
    },
    listInputs: listInputs(kind),
    // What the dynamic provider deployed is this resource: a stack crosses without a change.
    aliases: [{ type: `pulumi-nodejs:dynamic/buildpipeline:${kind.name}` }],
  };
}

/** A component, which the plugin constructs. A property that spells a secret output of its parts is secret as well. */
function componentSpec(
  { name, arguments: args, outputs, ...comment }: Described,
  types: Types,
  quickstart: Quickstart,
): Json {
  const required = (properties: readonly Property[]) =>
    properties.filter(({ optional }) => !optional).map((property) => property.name);
  return {
    description: withExamples(comment, [quickstart.snippets({ name, ...comment })]),
    isComponent: true,
    properties: types.properties(name, outputs, (output) => (/token$/i.test(output) ? { secret: true } : {})),
    required: required(outputs),
    inputProperties: types.properties(name, args),
    requiredInputs: required(args),
  };
}

/** What names the place of a list. Kinds that are listed with another one have its place. */
function listInputs(kind: AnyKind): Json {
  const { parent, words } = listKindOf(kind);
  if (parent === undefined) return { type: "object", properties: {} };
  const place = parentKindOf(kind)?.words.noun;
  const description = `UUID or name of the ${place} with the ${words.noun}s to list.`;
  return {
    type: "object",
    properties: { [parent.argument]: { type: "string", description } },
    required: [parent.argument],
  };
}

/**
 * What a kind's definition says of an argument. The plugin itself decides what replaces: the schema only documents it.
 * It names no defaults, which the plugin adds: `pulumi do patch` would write those of the schema over what is there.
 */
function inputFacts(kind: AnyKind, name: string): Json {
  return kind.arguments[name]?.replaces === true ? { willReplaceOnChanges: true } : {};
}

function functionSpec(
  { name, arguments: args, outputs, resultDocumentation, ...comment }: LookupDescription,
  types: Types,
): Json {
  const owner = `G${name.slice(1)}`;
  return {
    description: withExamples(comment),
    ...(args.length > 0 && { inputs: types.object(owner, "", args) }),
    outputs: types.object(owner, resultDocumentation, outputs),
  };
}

/** Types that have a name in the schema: interfaces and lists of allowed values. */
class Types {
  readonly #specs = new Map<string, Json>();
  readonly #enumerations = new Map<string, string>();

  all(): Json {
    return Object.fromEntries([...this.#specs].sort(([one], [other]) => alphabetically(one, other)));
  }

  /** @param owner what the names of its own types begin with */
  object(owner: string, description: string, properties: readonly Property[]): Json {
    const required = properties.filter(({ optional }) => !optional).map(({ name }) => name);
    return {
      ...(description && { description }),
      properties: this.properties(owner, properties),
      type: "object",
      ...(required.length > 0 && { required }),
    };
  }

  properties(
    owner: string,
    properties: readonly Property[],
    facts: (name: string) => Json = () => ({}),
  ): Json {
    return Object.fromEntries(
      properties.map((property) => [
        property.name,
        {
          ...this.#type(owner, property.name, property.type),
          description: property.documentation,
          ...facts(property.name),
        },
      ]),
    );
  }

  #type(owner: string, property: string, type: Type): Json {
    switch (type.is) {
      case "anything":
        return ANYTHING;
      case "number":
        // The API has whole numbers only.
        return { type: "integer" };
      case "list":
        return { type: "array", items: this.#type(owner, property, type.of) };
      case "map":
        return { type: "object", additionalProperties: this.#type(owner, property, type.of) };
      case "union":
        // Pulumi's SDK for Python refuses a list whose type is a union.
        if (type.of.some((member) => member.is === "list")) return ANYTHING;
        return { oneOf: type.of.map((member) => this.#type(owner, property, member)) };
      case "enum":
        // A plain string is as good as a member of the enumeration.
        return { oneOf: [{ type: "string" }, this.#enumeration(owner, property, type.values)] };
      case "object":
        return this.#interface(owner, type.object);
      default:
        return { type: type.is };
    }
  }

  /** A lookup's result has the same list of values as the resource, which came first. */
  #enumeration(owner: string, property: string, values: readonly string[]): Json {
    const key = `${property} ${values}`;
    const name = this.#enumerations.get(key) ?? `${owner}${property[0]?.toUpperCase()}${property.slice(1)}`;
    this.#enumerations.set(key, name);
    this.#specs.set(token(name), { type: "string", enum: values.map(member) });
    return reference(name);
  }

  #interface(owner: string, { name, documentation, properties }: ObjectType): Json {
    // SDKs call the result of the function getCluster GetClusterResult, so the entries of getClusters are GetClustersCluster.
    const [, noun] = /^Get(.+)Result$/.exec(name) ?? [];
    const own = noun === undefined ? name : `${owner}${noun}`;
    if (!this.#specs.has(token(own))) {
      this.#specs.set(token(own), {});
      const sorted = [...properties()].sort((one, other) => alphabetically(one.name, other.name));
      this.#specs.set(token(own), this.object(own, documentation, sorted));
    }
    return reference(own);
  }
}

/** Without a name, generators take the value for it, which may be no name in their language. */
function member(value: string): Json {
  const name = value.split(/[-_.]/).map(capitalized).join("");
  return name.toLowerCase() === value ? { value } : { name, value };
}

function reference(name: string): Json {
  return { $ref: `#/types/${token(name)}` };
}

/** How the plugin imports a resource, with the name of the quickstart's own. */
function importSection(kind: AnyKind, quickstart: Quickstart): string {
  // What has no name of its own goes by its parent's.
  const form = importForm(kind) ?? importForm(parentKindOf(kind) ?? kind);
  if (form === undefined) return "";
  const name = quickstart.declaration(kind.name)?.name ?? "example";
  const object = quickstart.importName(kind) ?? form;
  return `\n\n## Import\n\n\`pulumi import\` takes \`${form}\`:\n\n\`\`\`sh\n$ pulumi import ${token(kind.name)} ${name} '${object}'\n\`\`\``;
}

/** A comment with its examples as Pulumi's generators of SDKs and documentation know them. */
function withExamples(
  { documentation, examples }: Comment,
  programs: readonly Snippets[] = examples.map((code) => [["typescript", code]]),
): string {
  if (programs.length === 0) return documentation;
  const blocks = programs.map((program) => {
    const code = program.map(([language, text]) => `\`\`\`${language}\n${text}\n\`\`\``).join("\n");
    const title = program.length > 1 ? "### In every language\n\n" : "";
    return `{{% example %}}\n${title}${code}\n{{% /example %}}`;
  });
  return `${documentation}\n\n{{% examples %}}\n## Example Usage\n${blocks.join("\n")}\n{{% /examples %}}`;
}
