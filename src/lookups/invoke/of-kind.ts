import type { List } from "../../client/index.js";
import type { Address, Place, Reads } from "../../resources/calls.js";
import type { InOrganization } from "../results/fields.js";
import { id as idIn, text } from "./arguments.js";
import { findOne } from "./find-one.js";
import { type Api, type GetFunction, getFunction } from "./function.js";
import { LookupFailure } from "./lookup-error.js";
import type { Request } from "./response-cache.js";

/** The part of a kind's description that its functions go by. */
interface ReadKind<Entity extends object, Argument extends string> {
  readonly name: string;
  readonly words: { readonly noun: string };
  readonly parent?: { readonly kind: string; readonly argument: Argument; readonly refersBy?: string };
  identify(entity: Entity): string;
  readonly calls: {
    list(context: Reads, place: Place): List<Entity>;
    get(context: Reads, address: Address): Promise<Entity | undefined>;
  };
}

/** Fields of a result that come from the request: the organization, and the parent's id. */
type FromRequest<Argument extends string> = InOrganization & Readonly<Record<Argument, string>>;

/** The functions of a kind, such as `getQueue` and `getQueues`. */
interface FunctionsOfKind<Entity extends object, Result> {
  /** Makes the function that finds one object: by its id, or in the list by another of its fields. */
  one<Args extends object, OutputArgs extends object>(
    by: readonly (keyof Args & string)[],
  ): GetFunction<Args, OutputArgs, Result>;
  /** Makes the function that lists all objects in a place. */
  all<
    Args extends object | undefined,
    OutputArgs extends object | undefined,
    Results extends InOrganization,
  >(): GetFunction<Args, OutputArgs, Results>;
  /** Lists all objects in a place, for a function that does more than the two above. */
  list(api: Api): Promise<Entity[]>;
}

/**
 * Derives the functions of a kind from its description: their names, arguments, requests and messages.
 *
 * @param read makes a result of an object
 */
export function functionsOf<Entity extends object, Result, Argument extends string = never>(
  kind: ReadKind<Entity, Argument>,
  read: (entity: Entity, fromRequest: FromRequest<NoInfer<Argument>>) => Result,
): FunctionsOfKind<Entity, Result> {
  const { name, parent, calls } = kind;
  const { noun } = kind.words;
  const one = `get${name}`;
  const all = `${one}s`;
  const property = `${name.charAt(0).toLowerCase()}${name.slice(1)}s`;
  const inPlace: Request<[string], Entity[]> = (client, place) =>
    calls.list({ client }, { parent: place }).all();
  const byId: Request<[string, string], Entity | undefined> = (client, place, id) =>
    calls.get({ client }, { parent: place, id, known: {} });

  const placeOf = (args: object) => {
    if (parent === undefined) return "";
    const checked = parent.refersBy === undefined ? idIn : text;
    return checked(parent.argument, Reflect.get(args, parent.argument));
  };
  const fromRequest = ({ organization }: Api, place: string) =>
    // The argument is the one that the kind's type names.
    ({ organization, ...(parent && { [parent.argument]: place }) }) as FromRequest<Argument>;

  return {
    list: (api) => api.get(inPlace, ""),
    one: (by) =>
      getFunction(
        one,
        async (api, args) => {
          const place = placeOf(args);
          const found = await findOne(args, by, {
            get: async (id) => (await api.get(byId, place, id)) ?? missing(noun, id),
            list: () => api.get(inPlace, place),
            nouns: parent === undefined ? `${noun}s` : `${noun}s of the ${parent.kind.toLowerCase()}`,
            all: `${all}(${parent === undefined ? "" : `{ ${parent.argument} }`})`,
            idOf: kind.identify,
          });
          return read(found, fromRequest(api, place));
        },
        name,
      ),
    all: <Args, OutputArgs, Results>() =>
      getFunction<Args & (object | undefined), OutputArgs & (object | undefined), Results>(
        all,
        async (api, args) => {
          const place = placeOf(args);
          const given = fromRequest(api, place);
          const found = (await api.get(inPlace, place)).map((entity) => read(entity, given));
          // The type of the list's result is declared for the reader of the program: a test calls each function.
          return { [property]: found, ...given } as unknown as Results;
        },
        name,
      ),
  };
}

function missing(noun: string, id: string): never {
  throw new LookupFailure(`the service has no ${noun} ${id}.`, { missing: true });
}
