import type { Properties } from "../../../shared/protocol/encoded-values.js";
import { type AnyKind, allOf } from "../../kind/kind.js";
import { type InOrganization, type ResultField, readFields, user } from "../results/result-fields.js";
import { id as idIn } from "./arguments.js";
import { findOne } from "./find-one.js";
import { type Api, getFunction } from "./function.js";
import { LookupFailure } from "./lookup-error.js";
import type { Request } from "./response-cache.js";

type ListedKind = AnyKind & { readonly behavior: Required<Pick<AnyKind["behavior"], "list">> };

/** Derives the functions of a kind, such as `getQueue` and `getQueues`, from its description. */
export function functionsOf<Result, Entity extends object = object>(kind: ListedKind) {
  const { name, parent, behavior } = kind;
  const { noun } = kind.words;
  const all = `get${name}s`;
  const property = `${name.charAt(0).toLowerCase()}${name.slice(1)}s`;
  const fields = fieldsOf(kind);
  const inPlace: Request<[string], object[]> = (client, place) => allOf(kind, { client }, { parent: place });
  const byId: Request<[string, string], object | undefined> = (client, place, id) =>
    behavior.get({ client }, { parent: place, id, known: {} });

  const placeOf = (args: object) => {
    if (parent === undefined) return "";
    const values: Properties = { ...args };
    return idIn(parent.argument, values[parent.argument]);
  };
  const fromRequest = ({ organization }: Api, place: string) => ({
    organization,
    ...(parent && { [parent.argument]: place }),
  });
  const idOf = (entity: object, place: string) =>
    kind.isPair ? `${place}/${kind.identify(entity)}` : kind.identify(entity);
  // A test compares the declared results with the kinds' descriptions.
  const read = (api: Api, entity: object, place = "") =>
    ({ ...readFields(entity, fields), id: idOf(entity, place), ...fromRequest(api, place) }) as Result;

  return {
    read,

    /** Lists all objects of the organization, for a function that does more than the two below. */
    list: (api: Api) => api.get(inPlace, "") as Promise<Entity[]>,

    /** Makes the function that finds one object: by its id, or in the list by another of its fields. */
    one: <Args extends object>(by: readonly (keyof Args & string)[]) =>
      getFunction<Args, Result>(
        `get${name}`,
        async (api, args) => {
          const place = placeOf(args);
          const found = await findOne(args, by, {
            get: async (id) => (await api.get(byId, place, id)) ?? missing(noun, id),
            list: () => api.get(inPlace, place),
            nouns: parent === undefined ? `${noun}s` : `${noun}s of the ${parent.kind.toLowerCase()}`,
            all: `${all}(${parent === undefined ? "" : `{ ${parent.argument} }`})`,
            idOf: kind.identify,
          });
          return read(api, found, place);
        },
        name,
      ),

    /** Makes the function that reads what the organization has once. */
    only: <Args extends object | undefined>() =>
      getFunction<Args, Result>(
        `get${name}`,
        async (api) => {
          const [found] = await api.get(inPlace, "");
          return read(api, found ?? missing(noun, api.organization));
        },
        name,
      ),

    /** Makes the function that finds a pair: by the id of what it connects with its parent. */
    pair: <Args extends object>(by: keyof Args & string) =>
      getFunction<Args, Result>(
        `get${name}`,
        async (api, args) => {
          const place = placeOf(args);
          const other = idIn(by, args[by]);
          return read(api, (await api.get(byId, place, other)) ?? missing(noun, other), place);
        },
        name,
      ),

    all: <Args extends object | undefined, Results extends InOrganization>() =>
      getFunction<Args, Results>(
        all,
        async (api, args) => {
          const place = placeOf(args);
          const found = (await api.get(inPlace, place)).map((entity) => read(api, entity, place));
          return { [property]: found, ...fromRequest(api, place) } as unknown as Results;
        },
        name,
      ),
  };
}

/** Returns the fields of a result: what the API returns of a kind, and anybody may know. */
function fieldsOf({ arguments: fields, outputs, onlyRead = {} }: AnyKind): ResultField[] {
  return [
    ...Object.entries(onlyRead).map(([name, returnedAs]) => ({ name, returnedAs })),
    ...Object.entries(fields).flatMap(([name, { returnedAs, secret, decode, mayBeLeftOut }]) =>
      returnedAs === undefined || secret || mayBeLeftOut === "unless stated"
        ? []
        : [{ name, returnedAs, read: decode }],
    ),
    ...Object.entries(outputs).flatMap(([name, { returnedAs, secret, user: isUser }]) =>
      secret ? [] : [{ name, returnedAs, read: isUser ? user : undefined }],
    ),
  ];
}

function missing(noun: string, id: string): never {
  throw new LookupFailure(`the service has no ${noun} ${id}.`, { missing: true });
}
