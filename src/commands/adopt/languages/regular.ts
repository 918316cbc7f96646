import { posix } from "node:path";
import { kindNamed } from "../../../provider/for-commands/kinds.js";
import { identifier, nounOf, pluralName, sharedStem } from "./names.js";
import {
  type Declaration,
  FileText,
  type Maker,
  type NamedMap,
  Omitted,
  Pattern,
  type ProgramFile,
  partsOf,
  Reference,
  SharedMap,
  type Table,
  type Value,
  ValueMap,
  type Values,
} from "./program-file.js";

/** A program as a person writes it: what most resources of a class share stands once. */

/** What a file of a program says, in the order in which languages need it. */
export interface Parts {
  readonly maps: readonly NamedMap[];
  readonly makers: readonly Maker[];
  readonly declarations: readonly Declaration[];
  readonly tables: readonly Table[];
}

/** What a language can say. */
export interface Forms {
  /** Names of parameters, which a function's own code must not mean something else by. */
  readonly parameters: readonly string[];
  /** True if a call can leave out what its function has. */
  readonly omits: boolean;
}

/** How a language writes a program. */
export interface Grammar {
  /** The program's only file. Undefined where each cluster and each resource type has a file, as in TypeScript. */
  readonly file: string | undefined;
  /** What begins a comment. */
  readonly comment: string;
  /** How it says what is repeated, by functions, constants and loops. Absent where it has none of them. */
  readonly forms?: Forms;
  program(file: ProgramFile, parts: Parts): string;
}

/** Writes one of several forms of a program, of which the shortest wins. */
interface Writer extends Forms {
  readonly isOneFile: boolean;
  lengthOf(parts: Parts): number;
}

/** A form for fewer than this is no rule. */
const FEWEST = 3;
/** Stands for a function's parameter in the text of a file. */
const PLACEHOLDER = "{name}";

export function plain({ declarations }: ProgramFile): Parts {
  return { maps: [], makers: [], declarations, tables: [] };
}

/** Returns the shortest form of a file that has functions, constants and tables for what is repeated in it. */
export function regular(file: ProgramFile, { forms, file: only, program }: Grammar): Parts {
  let parts = plain(file);
  if (forms === undefined) return parts;
  const lengthOf = (form: Parts) => program(file, form).length;
  const writer = { ...forms, isOneFile: only !== undefined, lengthOf };
  for (const className of new Set(file.declarations.map((one) => one.className)))
    for (const form of [withTable, withMakers])
      parts = shortest(writer, [parts, ...form({ ...parts, className }, file, writer)]);
  return parts;
}

/** Returns parts in the order of a program: what is shared before the first resource that needs it, and loops last. */
export function inOrder({ maps, makers, declarations, tables }: Parts) {
  const reversed = declarations.toReversed();
  const first = new Map(reversed.map((one) => [one.className, one]));
  const firstCall = new Map(reversed.map((one) => [one.call?.maker, one]));
  const resources = declarations.map((declaration) => ({
    declaration,
    maps: maps.filter(({ className }) => first.get(className) === declaration),
    makers: makers.filter(({ identifier: name }) => firstCall.get(name) === declaration),
  }));
  return { resources, tables };
}

export function valuesIn({ maps, makers, declarations, tables }: Parts): Value[] {
  const own = [...declarations, ...makers].flatMap(({ args }) => Object.values(args));
  const rows = tables.flatMap((table) => [
    table.others.values,
    ...table.rows.flatMap(({ values }) => values),
  ]);
  return [...own, ...maps.map(({ values }) => values), ...rows].flatMap(partsOf);
}

/** Returns the first of the shortest forms. */
function shortest({ lengthOf }: Writer, forms: readonly [Parts, ...Parts[]]): Parts {
  const lengths = new Map(forms.map((form) => [form, lengthOf(form)]));
  return forms.reduce((best, form) => ((lengths.get(form) ?? 0) < (lengths.get(best) ?? 0) ? form : best));
}

interface Repeated extends Parts {
  readonly className: string;
}

/** Returns the file with a loop for the pairs whose names it can make. */
function withTable({ className, ...parts }: Repeated, file: ProgramFile, writer: Writer): Parts[] {
  const kind = kindNamed(className);
  const parent = kind?.parent?.argument;
  const pairs = parts.declarations.filter(
    ({ className: own, args, ignoreChanges, comments, within, pairedBy }) =>
      own === className &&
      parent !== undefined &&
      ignoreChanges.length + comments.length === 0 &&
      within !== undefined &&
      args[parent] instanceof Reference &&
      pairedBy !== undefined &&
      typeof args[pairedBy] === "object",
  );
  const [{ pairedBy: other = "" } = {}] = pairs;
  if (kind === undefined || parent === undefined || pairs.length < FEWEST) return [];
  if (pairs.some(({ pairedBy }) => pairedBy !== other)) return [];
  const rest = Object.keys(kind.arguments).filter(
    (name) => name !== parent && name !== other && pairs.some(({ args }) => args[name] !== undefined),
  );
  const statedOrDefault = ({ args }: Declaration, name: string): Value => {
    const omitted = kind.arguments[name]?.default;
    return (
      args[name] ?? (typeof omitted === "string" || typeof omitted === "boolean" ? omitted : new Omitted())
    );
  };
  const isOmitted = (pair: Declaration) =>
    rest.some((name) => statedOrDefault(pair, name) instanceof Omitted);
  if (!writer.omits && pairs.some(isOmitted)) return [];
  const nameOf = ({ logicalName, within = "" }: Declaration) => logicalName.slice(within.length + 1);
  const values = pairs.map((pair): [string, Value] => [nameOf(pair), pair.args[other] ?? ""]);
  // One name means one object.
  const byName = new Map(values.toSorted(([one], [two]) => (one < two ? -1 : 1)));
  if (values.some(([name, value]) => keyOf(byName.get(name)) !== keyOf(value))) return [];
  const rows = [
    ...Map.groupBy(pairs, (pair) =>
      keyOf([parent, ...rest].map((name) => statedOrDefault(pair, name))),
    ).values(),
  ].map((some) => ({
    name: some[0]?.within ?? "",
    values: [parent, ...rest].flatMap((name) =>
      some[0] === undefined ? [] : [statedOrDefault(some[0], name)],
    ),
    names: some.map(nameOf),
  }));
  const plural = (noun: string) => file.names.take(identifier(`${noun}s`, "s"));
  const table = {
    className,
    arguments: [parent, other, ...rest] as const,
    others: {
      identifier: plural(other.replace(/Id$/, "")),
      values: new ValueMap([...byName]),
    },
    identifier: file.names.take(identifier(pluralName(kind), "s")),
    rows,
  };
  return [
    {
      ...parts,
      declarations: parts.declarations.filter((one) => !pairs.includes(one)),
      tables: [...parts.tables, table],
    },
  ];
}

/** Returns the file with constants for parts of maps, and with functions for resources that differ in little. */
function withMakers({ className, ...parts }: Repeated, file: ProgramFile, writer: Writer): Parts[] {
  const all = parts.declarations.filter(
    (one) => one.className === className && one.ignoreChanges.length === 0 && !one.protect,
  );
  if (all.length < FEWEST) return [];
  const nameFor = (stem: string): string => file.names.take(stem, `${stem}${className}`);
  const { maps, declarations: mapped } = withMaps(all, className, nameFor, writer.omits);
  const places = Map.groupBy(mapped, ({ within = "" }) => within);
  const isPlace = (within = "") => within !== "" && (places.get(within)?.length ?? 0) >= FEWEST;
  const starts = Map.groupBy(mapped, ({ within = "" }) => (isPlace(within) ? `${within}-` : ""));
  const isPlaceNamed = writer.isOneFile || starts.size > 1;
  let groups = [...starts].map(([before, members]): Group => {
    return { around: [before, ""], members, isPlaceNamed };
  });
  const formOf = (some: readonly Group[]): Parts => {
    const made = some.map((group) => shortestGroup(group, className, writer, parts));
    const calls = new Map(
      made.flatMap(({ declarations }) => declarations.map((one) => [one.logicalName, one])),
    );
    return withoutLoneMaps({
      ...parts,
      maps: [...parts.maps, ...maps],
      makers: [...parts.makers, ...made.flatMap(({ makers }) => makers)],
      declarations: parts.declarations.map((one) =>
        one.className === className ? (calls.get(one.logicalName) ?? one) : one,
      ),
    });
  };
  let best = formOf(groups);
  for (const suffix of suffixesOf(all)) {
    const split = groups.flatMap((group) => divided(group, suffix));
    const form = formOf(split);
    if (split.every((group, index) => group === groups[index]) || shortest(writer, [best, form]) === best)
      continue;
    groups = split;
    best = form;
  }
  const own = best.makers.filter((maker) => maker.className === className);
  const names = new Map(own.map(({ identifier }) => [identifier, nameFor(identifier)]));
  const nameOf = (maker: string) => names.get(maker) ?? maker;
  return [
    {
      ...best,
      makers: best.makers.map((maker) =>
        own.includes(maker) ? { ...maker, identifier: nameOf(maker.identifier) } : maker,
      ),
      declarations: best.declarations.map((one) =>
        one.call === undefined || one.className !== className
          ? one
          : { ...one, call: { ...one.call, maker: nameOf(one.call.maker) } },
      ),
    },
  ];
}

/** Resources whose logical names have the same text around a word. */
interface Group {
  readonly around: readonly [before: string, after: string];
  readonly members: readonly Declaration[];
  /** True if the name of its function says which resource's contents it makes. */
  readonly isPlaceNamed: boolean;
}

/** Returns the last words of names that several of them have, the most frequent first. */
function suffixesOf(all: readonly Declaration[]): string[] {
  const found = Map.groupBy(
    all.flatMap(({ logicalName }) => /[^-]-([a-z0-9]+)$/.exec(logicalName)?.[1] ?? []),
    (word) => word,
  );
  return [...found]
    .filter(([, some]) => some.length >= FEWEST)
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([word]) => `-${word}`);
}

function divided(group: Group, suffix: string): Group[] {
  const [before, after] = group.around;
  if (after !== "") return [group];
  const [some, rest] = [true, false].map((wanted) =>
    group.members.filter(
      ({ logicalName }) =>
        (logicalName.endsWith(suffix) && logicalName.length > before.length + suffix.length) === wanted,
    ),
  );
  if (some === undefined || rest === undefined || some.length < FEWEST) return [group];
  const split: Group[] = [
    { ...group, around: [before, suffix], members: some },
    { ...group, members: rest },
  ];
  return split.filter(({ members }) => members.length > 0);
}

/** Returns a group's resources as calls of a function if that is shorter. */
function shortestGroup(group: Group, className: string, writer: Writer, { declarations: all }: Parts): Parts {
  const form = { maps: [], makers: [], declarations: group.members, tables: [] };
  const called = withMaker(group, className, writer);
  const isEarly = called?.makers.some(({ args }) => isBefore(group.members, args, all));
  return called === undefined || isEarly ? form : shortest(writer, [form, called]);
}

/** Checks whether the first of some resources is declared before what values refer to. */
function isBefore([first]: readonly Declaration[], args: Values, all: readonly Declaration[]): boolean {
  const begin = all.findIndex(
    ({ className, logicalName }) => className === first?.className && logicalName === first.logicalName,
  );
  const later = new Set(all.slice(begin).map(({ identifier }) => identifier));
  const parts = Object.values(args).flatMap(partsOf);
  return parts.some((part) => part instanceof Reference && later.has(part.identifier));
}

function withMaker(
  { around, members, isPlaceNamed }: Group,
  className: string,
  writer: Writer,
): Parts | undefined {
  const kind = kindNamed(className);
  if (kind === undefined || members.length < FEWEST) return undefined;
  const [before, after] = around;
  const wordOf = ({ logicalName }: Declaration) =>
    logicalName.slice(before.length, logicalName.length - after.length);
  const args: Record<string, Value> = {};
  for (const name of Object.keys(kind.arguments)) {
    const forms = members.flatMap((one) => formsOf(one.args[name], wordOf(one)));
    const [most] = [...Map.groupBy(forms, keyOf).values()].toSorted(
      (one, other) => other.length - one.length,
    );
    const [form] = most ?? [];
    if (form !== undefined && most !== undefined && most.length * 2 > members.length)
      args[name] = form instanceof FileText ? named(form) : form;
  }
  const identifiers = Object.values(args)
    .flatMap(partsOf)
    .flatMap((part) => {
      if (part instanceof Reference) return [part.identifier];
      return part instanceof SharedMap ? [part.shared.identifier] : [];
    });
  if (identifiers.some((one) => writer.parameters.includes(one))) return undefined;
  const maker = identifier(`${isPlaceNamed ? before : ""}${after}-${nounOf(kind)}`, className);
  const declarations = members.map((one): Declaration => {
    const word = wordOf(one);
    const stated = Object.keys(kind.arguments).flatMap((name): [string, Value][] => {
      const [shared, value] = [args[name], one.args[name]];
      if (value === undefined) return shared === undefined ? [] : [[name, new Omitted()]];
      const isShared = formsOf(value, word).some((form) => keyOf(form) === keyOf(shared));
      return isShared ? [] : [[name, value]];
    });
    if (!writer.omits && stated.some(([, value]) => value instanceof Omitted)) return one;
    return { ...one, args: Object.fromEntries(stated), call: { maker, word, takes: "some" } };
  });
  const required = Object.keys(kind.arguments).filter((name) => {
    const isRequired = kind.arguments[name]?.whenOmitted === "required" || kind.parent?.argument === name;
    return isRequired && args[name] === undefined;
  });
  const calls = declarations.filter(({ call }) => call !== undefined);
  const stating = calls.filter((call) => Object.keys(call.args).length > 0).length;
  const states = stating === 0 ? "none" : stating === calls.length ? "all" : "some";
  if (calls.length < FEWEST) return undefined;
  return {
    maps: [],
    makers: [{ identifier: maker, className, around, args, required, states }],
    declarations: declarations.map((one) =>
      one.call ? { ...one, call: { ...one.call, takes: states } } : one,
    ),
    tables: [],
  };
}

/** Returns a value, and what it is around a word. */
function formsOf(value: Value | undefined, word: string): Value[] {
  if (value === undefined) return [];
  if (word.length < 2) return [value];
  if (typeof value === "string" && value.includes(word)) return [new Pattern(value.split(word)), value];
  if (value instanceof FileText && value.text.includes(word) && !value.text.includes(PLACEHOLDER))
    return [new FileText(value.path, value.text.replaceAll(word, PLACEHOLDER), PLACEHOLDER), value];
  return [value];
}

/** Returns a text that a function has, in a file that is called after its first step. */
function named({ path, text, word }: FileText): FileText {
  return new FileText(posix.join(posix.dirname(path), sharedStem(text)), text, word);
}

/**
 * Puts the entries that most maps of an argument have into a constant.
 *
 * @param varies true if a map can have others too
 */
function withMaps(
  own: readonly Declaration[],
  className: string,
  names: (stem: string) => string,
  varies: boolean,
) {
  const maps: NamedMap[] = [];
  let declarations = own;
  for (const argument of new Set(own.flatMap(({ args }) => Object.keys(args)))) {
    const found = own.flatMap(({ args }) => {
      const value = args[argument];
      return value instanceof ValueMap ? [value.entries] : [];
    });
    if (found.length < FEWEST) continue;
    const groups = Map.groupBy(found.flat(), ([name, value]) => keyOf([name, value]));
    const shared = [...groups.values()].flatMap((some) =>
      some.length * 2 > found.length ? some.slice(0, 1) : [],
    );
    if (shared.length === 0) continue;
    const map = { identifier: names(argument), className, argument, values: new ValueMap(shared) };
    maps.push(map);
    declarations = declarations.map((one) => {
      const value = one.args[argument];
      return value instanceof ValueMap
        ? { ...one, args: { ...one.args, [argument]: sharing(value, map, varies) } }
        : one;
    });
  }
  return { maps, declarations };
}

function sharing(value: ValueMap, map: NamedMap, varies: boolean): Value {
  const own = new Map(value.entries);
  const shared = new Map(map.values.entries);
  if ([...shared.keys()].some((name) => !own.has(name))) return value;
  const other = value.entries.filter(([name, one]) => keyOf(one) !== keyOf(shared.get(name)));
  return other.length > 0 && !varies ? value : new SharedMap(map, new ValueMap(other));
}

/** Writes a constant that stands in one place where it stands, so that a map has a name only if it is varied. */
function withoutLoneMaps(parts: Parts): Parts {
  const uses = valuesIn(parts).filter((part) => part instanceof SharedMap);
  const lone = parts.maps.filter((map) => uses.filter(({ shared }) => shared === map).length < 2);
  if (lone.length === 0) return parts;
  const whole = (args: Values): Values =>
    Object.fromEntries(
      Object.entries(args).map(([name, value]) => {
        if (!(value instanceof SharedMap) || !lone.includes(value.shared)) return [name, value];
        return [name, new ValueMap([...new Map([...value.shared.values.entries, ...value.own.entries])])];
      }),
    );
  return {
    ...parts,
    maps: parts.maps.filter((map) => !lone.includes(map)),
    makers: parts.makers.map((maker) => ({ ...maker, args: whole(maker.args) })),
    declarations: parts.declarations.map((one) => ({ ...one, args: whole(one.args) })),
  };
}

function keyOf(value: unknown): string {
  return JSON.stringify(value) ?? "";
}
