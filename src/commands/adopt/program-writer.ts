import { posix } from "node:path";
import type { LiveObject } from "../../cli/inventory/live-object.js";
import { objectKey } from "../../cli/pulumi/state.js";
import {
  type AnyKind,
  canContain,
  kindNamed,
  placeIn,
  refersElsewhere,
} from "../../provider/for-commands/kinds.js";
import { type Arguments, claimOf, declarable } from "../../provider/for-commands/objects.js";
import { capitalized, withArticle } from "../../shared/messages/nouns.js";
import { isUuid } from "../../shared/protocol/identity.js";
import type { Backend } from "../../shared/protocol/type-token.js";
import {
  CLUSTER,
  type ClusterReference,
  type ExportedCluster,
  STACKS,
  STACKS_TEXT,
} from "./cluster-references.js";
import { type Credential, credentialsIn } from "./credentials.js";
import { ENTRIES, type ExistingProject, type KnownResource } from "./existing-project.js";
import type { ExportedConstant } from "./exported-constants.js";
import { quoted } from "./languages/layout.js";
import {
  constantName,
  filePath,
  identifier,
  logicalName,
  nounOf,
  ProgramNames,
  pluralName,
  sharedStem,
  slug,
  stemOf,
  textPath,
  variableName,
} from "./languages/names.js";
import {
  Constant,
  FileText,
  ProgramFile,
  Reference,
  Secret,
  type Value,
  ValueMap,
  withoutEnding,
} from "./languages/program-file.js";
import { appended, type Language } from "./languages/project-files.js";
import { regular, valuesIn } from "./languages/regular.js";
import { textLiteral } from "./languages/typescript.js";
import { unconfirmedComment } from "./remarks.js";

/** A user, as people call them, and as names of resources do. */
interface User {
  readonly id: string;
  readonly name: string;
  readonly noun: string;
  readonly stem: string;
}

interface Program {
  readonly project: ExistingProject;
  readonly folder: string;
  readonly known: readonly KnownResource[];
  readonly backend: Backend;
  readonly language: Language;
  /** True if credentials go into the configuration. */
  readonly hidesCredentials: boolean;
  /** Clusters that other projects declare, by id. Any other cluster is named by its id. */
  readonly references: ReadonlyMap<string, ClusterReference>;
}

const ENTRY = "index.ts";

const DUPLICATE =
  "Another name makes the same slug. ignoreChanges allows that for an object that exists already.";

/**
 * Writes objects into new files of a program, one after the other. In TypeScript, each object with contents has a module
 * with them, and so has each resource type without. In other languages, all resources are in one file.
 */
export class ProgramWriter {
  /** Objects that the program declares from now on. The path of each one's file is in the folder of all projects. */
  readonly adopted: {
    readonly object: LiveObject;
    readonly name: string;
    readonly file: string;
    readonly credentials: readonly Credential[];
  }[] = [];
  readonly leftOut: { readonly object: LiveObject; readonly reason: string }[] = [];
  /** Keys of the configuration that the program needs, with the values that are known. */
  readonly secrets: { readonly key: string; readonly value: string | undefined }[] = [];
  /** Names of the projects whose stacks the program reads. */
  readonly reads = new Set<string>();
  readonly #program: Program;
  /** Resources that others may refer to, by their keys, with their constants as far as they are known. */
  readonly #declared: Map<string, { readonly name: string; readonly constant: ExportedConstant | undefined }>;
  readonly #names: ProgramNames;
  /** Paths of the program's files, without their ending. */
  readonly #paths: ProgramNames;
  /** By the object or the resource type that each is for. */
  readonly #files = new Map<string, ProgramFile>();
  /** The module that reads other stacks, if a file needs it. */
  readonly #stacks: Record<string, string> = {};
  readonly #texts: Record<string, string> = {};
  /** Users whom the program names, by their ids, and the constants with these. */
  readonly #users = new Map<string, User>();
  readonly #userNames = new ProgramNames([]);
  readonly #constants: Map<string, ExportedConstant>;
  readonly #pairNames = new Map<string, ProgramNames>();
  /** Constants with ids of other objects, by the file and the objects' keys. */
  readonly #ids = new Map<string, Reference>();
  /** Values that only one resource of the program may have. */
  readonly #claims = new Set<string>();

  constructor(program: Program) {
    const { project, known } = program;
    this.#program = program;
    this.#declared = new Map(
      known.map(({ kind, key, name }) => [key, { name, constant: project.exported(kind, name) }]),
    );
    this.#names = new ProgramNames(known.map(({ name }) => name));
    const paths = [...project.files.keys()].map((path) => path.toLowerCase().replace(/\.(?:ts|yml)$/, ""));
    this.#paths = new ProgramNames(paths);
    this.#constants = idsIn(project.files);
  }

  /** Returns the program's files that change. @param head comments with which a new program begins */
  files(head: readonly string[]): Record<string, string> {
    const { project, language } = this.#program;
    const start = head.map((line) => `${language.comment} ${line}\n`).join("");
    const files = [...this.#files.values()].map((file) => ({ file, parts: regular(file, language) }));
    this.#placeTexts(files.flatMap(({ parts }) => valuesIn(parts)));
    const written = files.map(({ file, parts }) => {
      const text = language.program(file, parts);
      return [file.path, language.file === undefined ? text : `${start}\n${text}`] as const;
    });
    const imports =
      language.file === undefined
        ? files.flatMap(({ file: { path, declarations } }) =>
            declarations.length === 0 ? [] : [`import "./${withoutEnding(path)}";\n`],
          )
        : [];
    return {
      ...Object.fromEntries(written),
      ...(imports.length > 0 && {
        [ENTRY]: appended(project.files.get(ENTRY) ?? `${start}\n`, imports.join("")),
      }),
      ...this.#stacks,
      ...this.#texts,
    };
  }

  /** Gives each text its file. Equal texts share one, which may be there already. */
  #placeTexts(values: readonly Value[]): void {
    const texts = values.filter((value) => value instanceof FileText);
    const known = new Map([...this.#program.project.files].map(([path, text]) => [text, path]));
    for (const some of Map.groupBy(texts, ({ text }) => text).values()) {
      const [{ text, path: own } = { text: "", path: "" }] = some;
      const shared = posix.join(posix.dirname(own), sharedStem(text));
      const stem = some.length === 1 ? own : shared;
      const found = known.get(text);
      const path = found?.endsWith(".yml") ? found : `${this.#paths.take(stem)}.yml`;
      for (const one of some) one.path = path;
      if (path !== found) this.#texts[path] = text;
    }
  }

  declaredClusters(ids: Iterable<string>): ExportedCluster[] {
    return [...ids].flatMap((id) => {
      const declared = this.#declared.get(objectKey(CLUSTER, id));
      return declared === undefined ? [] : [{ id, ...declared }];
    });
  }

  /** An object that the program declares already. */
  know(object: LiveObject): void {
    this.#claim(object, declarable(object).args);
  }

  add(object: LiveObject): void {
    const { kind, key, parent, viewOf } = object;
    const { args, unconfirmed, secrets, problems, isCreatable } = declarable(object);
    if (problems.length > 0) {
      this.leftOut.push({ object, reason: problems.join(" ") });
      return;
    }
    const above = parent && this.#inside(parent, object);
    const [pairedBy, other] = kind.isPair ? this.#otherOf(object) : [];
    const name = logicalName(object, above?.name ?? "", this.#namesOf(kind), other);
    const file = above?.file ?? this.#fileOf(object, name);
    // Nothing refers to a view of another object, or to what connects two.
    const isReferable = viewOf === undefined && !kind.isPair && !refersElsewhere(kind);
    const identifier = isReferable ? this.#identifierOf(object, name, file) : undefined;
    const duplicate = this.#claim(object, args);
    const credentials = credentialsIn(args);
    const declaration = {
      identifier,
      className: kind.name,
      logicalName: name,
      args: {
        ...this.#argsOf(object, args, file, name, credentials),
        ...this.#secretsOf(secrets, name),
        ...above?.args,
      },
      ignoreChanges: duplicate,
      within: name.startsWith(`${above?.name}-`) ? above?.name : undefined,
      pairedBy,
      protect: !isCreatable,
      comments: [
        ...(unconfirmed.length > 0 ? [unconfirmedComment(unconfirmed)] : []),
        ...(duplicate.length > 0 ? [DUPLICATE] : []),
      ],
    };
    file.declare(declaration, namesOf(object, declaration.args));
    if (identifier !== undefined)
      this.#declared.set(key, { name, constant: { file: file.path, identifier } });
    this.adopted.push({ object, name, file: posix.join(this.#program.folder, file.path), credentials });
  }

  /** Returns the file for an object and its contents. @param stem what its own file is called after */
  #fileOf({ kind, key }: LiveObject, stem: string): ProgramFile {
    const { language } = this.#program;
    const [owner, path] = canContain(kind.name) ? [key, filePath(kind, stem)] : [kind.name, pluralName(kind)];
    const place = language.file ?? owner;
    return this.#files.get(place) ?? this.#newFile(place, path);
  }

  #newFile(place: string, path: string): ProgramFile {
    const { language, backend } = this.#program;
    const file = new ProgramFile(language.file ?? `${this.#paths.take(path)}.ts`, ENTRIES[backend]);
    this.#files.set(place, file);
    return file;
  }

  #identifierOf(object: LiveObject, name: string, { names }: ProgramFile): string {
    const isOneFile = this.#program.language.file !== undefined;
    if (isOneFile) return variableName(nounOf(object.kind), name, names);
    // In a file for several parents, a name says whose object it is.
    const { kind, parent, label } = object;
    const isAmongOthers = parent !== undefined && !canContain(parent.kind.name);
    return constantName({ kind, label: isAmongOthers ? name : label }, names);
  }

  /** Returns the argument of a pair that names what its parent is paired with, and the name of that. */
  #otherOf(object: LiveObject): [string, string] | [] {
    const { kind, observed } = object;
    const fields = Object.entries(kind.arguments);
    const [argument, { refersTo }] = fields.find(
      ([name, { refersTo: to }]) => to !== undefined && name !== kind.parent?.argument,
    ) ?? ["userId", { refersTo: undefined }];
    const id = String(observed[argument]);
    const name =
      refersTo === undefined
        ? this.#namedId(object, argument)?.stem
        : this.#declared.get(objectKey(refersTo, id))?.name;
    return [argument, name ?? stemOf(object)];
  }

  /** Returns the id of a user that an argument has, and what the user is called. Undefined for any other value. */
  #namedId({ kind, observed }: LiveObject, argument: string) {
    const id = observed[argument];
    const [output = ""] = Object.entries(kind.outputs).find(([, { spells }]) => spells === argument) ?? [];
    const name = observed[output];
    const isOther = kind.arguments[argument]?.refersTo !== undefined;
    if (isOther || typeof id !== "string" || !isUuid(id) || typeof name !== "string") return undefined;
    const noun = argument.replace(/Id$/, "");
    const known = this.#users.get(id) ?? { id, name, noun, stem: this.#userNames.take(slug(name) || noun) };
    this.#users.set(id, known);
    return known;
  }

  /** Returns the constant with the id of a user, which a file of its own has in TypeScript. */
  #constantIn(file: ProgramFile, { id, name, noun, stem }: User): Value {
    const { language } = this.#program;
    if (language.forms === undefined) return id;
    const isOneFile = language.file !== undefined;
    const home = isOneFile ? file : (this.#files.get(noun) ?? this.#newFile(noun, `${noun}s`));
    const known = this.#constants.get(id);
    const constant = known ?? {
      file: home.path,
      identifier: isOneFile
        ? variableName(noun, stem, home.names)
        : home.names.take(identifier(stem, capitalized(noun))),
    };
    this.#constants.set(id, constant);
    if (known === undefined)
      home.named.push({ identifier: constant.identifier, text: id, comment: quoted(name) });
    const isHere = constant.file === file.path;
    return new Constant(isHere ? constant.identifier : file.import(constant.identifier, constant.file));
  }

  /** Pairs are named after two others, so their names are their own. */
  #namesOf({ name, isPair }: AnyKind): ProgramNames {
    if (!isPair) return this.#names;
    const known = this.#program.known.filter(({ kind }) => kind === name);
    const names = this.#pairNames.get(name) ?? new ProgramNames(known.map((one) => one.name));
    this.#pairNames.set(name, names);
    return names;
  }

  /** Returns the argument with a value that another resource has already: the engine ignores its changes. */
  #claim(object: LiveObject, args: Arguments): string[] {
    const { argument, claim } = claimOf(object, args) ?? {};
    if (argument === undefined || claim === undefined) return [];
    if (this.#claims.has(claim)) return [argument];
    this.#claims.add(claim);
    return [];
  }

  #argsOf(
    object: LiveObject,
    args: Arguments,
    file: ProgramFile,
    name: string,
    credentials: readonly Credential[],
  ): Record<string, Value> {
    const { kind } = object;
    const hidden = this.#program.hidesCredentials ? credentials : [];
    const written = Object.entries(args).map(([argument, value]): [string, Value] => {
      const own = hidden.filter((credential) => credential.argument === argument);
      if (own.length > 0) {
        const hiddenAt = new Set(own.map(({ path }) => path.join("\0")));
        const textAt = (path: readonly string[], text: string) =>
          hiddenAt.has(path.join("\0"))
            ? this.#secret([name, ...(path.length === 0 ? [argument] : path)].join("-"), text)
            : text;
        return [argument, plainValue(value, textAt)];
      }
      const { refersTo, isDocument, takesResource } = kind.arguments[argument] ?? {};
      if (isDocument && typeof value === "string") {
        return [argument, new FileText(textPath(kind, name), value)];
      }
      const named = this.#namedId(object, argument);
      if (named !== undefined) return [argument, this.#constantIn(file, named)];
      const one = (part: unknown) => {
        if (refersTo === undefined || typeof part !== "string") return plainValue(part);
        const key = objectKey(refersTo, part);
        const variable = this.#variableIn(file, key);
        if (variable !== undefined) return new Reference(variable, takesResource !== true);
        const other = kindNamed(refersTo);
        const isElsewhere = argument === placeIn(kind)?.argument && this.#program.references.has(part);
        return isElsewhere && other ? this.#idOf({ key, id: part, kind: other }, file, argument, part) : part;
      };
      return [argument, Array.isArray(value) ? value.map(one) : one(value)];
    });
    return Object.fromEntries(written);
  }

  #secretsOf(secrets: readonly string[], name: string): Record<string, Value> {
    return Object.fromEntries(
      secrets.map((argument) => [argument, this.#secret(`${name}-${argument}`, undefined)]),
    );
  }

  #secret(name: string, value: string | undefined): Secret {
    // In YAML programs, resources and configuration share their names, which have these characters.
    const stem = name.replace(/_/g, "-").replace(/[^A-Za-z0-9-]|^[^A-Za-z]+/g, "");
    const key = this.#names.take(stem || "secret");
    this.secrets.push({ key, value });
    return new Secret(key);
  }

  /** Returns the file of what is in an object, the start of its name, and the argument that names the object. */
  #inside(parent: LiveObject, object: LiveObject) {
    const { kind, observed } = object;
    const name = this.#declared.get(parent.key)?.name ?? stemOf(parent);
    // Files of objects that refer to one another would import each other.
    const file = this.#fileOf(
      refersElsewhere(kind) ? object : parent,
      stemOf({ kind: parent.kind, label: name }),
    );
    const variable = this.#variableIn(file, parent.key);
    const { argument = "id" } = kind.parent ?? {};
    const value =
      variable === undefined
        ? this.#idOf(parent, file, argument, String(observed[argument]))
        : new Reference(variable);
    return { file, name, args: { [argument]: value } };
  }

  /** Returns the variable of a resource in a file: an imported constant where another file has it. */
  #variableIn(file: ProgramFile, key: string): string | undefined {
    const constant = this.#declared.get(key)?.constant;
    if (constant === undefined || constant.file === file.path) return constant?.identifier;
    return file.import(constant.identifier, constant.file);
  }

  /** Returns the value that names a parent by its id, because the file has no variable of it: a constant in TypeScript. */
  #idOf(
    { key, id, kind }: Pick<LiveObject, "key" | "id" | "kind">,
    file: ProgramFile,
    argument: string,
    value: string,
  ): Value {
    const { language, references, known, project } = this.#program;
    if (language.file !== undefined) return value;
    const place = `${file.path} ${key}`;
    const existing = this.#ids.get(place);
    if (existing !== undefined) return existing;
    const constant = new Reference(file.names.take(argument));
    this.#ids.set(place, constant);
    const other = references.get(id);
    const where = other ? "another project declares" : "this program does not declare";
    const program = known.some((one) => one.key === key) ? "another file declares" : where;
    if (other) this.reads.add(other.project);
    if (other) this.#stacks[STACKS.file] = project.files.get(STACKS.file) ?? STACKS_TEXT;
    const reader = other && file.import(STACKS.function, STACKS.file);
    const code = other
      ? `${reader}(${textLiteral(other.project)}, ${textLiteral(other.name)})`
      : textLiteral(value);
    file.constants.push(
      `/** The id of ${withArticle(kind.words.noun)} that ${program}. */\nconst ${constant.identifier} = ${code};`,
    );
    return constant;
  }
}

/** Returns the exported constants of a program that are ids, by the ids. */
function idsIn(files: ReadonlyMap<string, string>): Map<string, ExportedConstant> {
  const constant = /^export const ([\w$]+) = "([0-9a-f-]{36})";/gm;
  return new Map(
    [...files].flatMap(([file, text]) =>
      [...text.matchAll(constant)].map(([, name = "", id = ""]) => [id, { file, identifier: name }] as const),
    ),
  );
}

/** Returns what the ids in an object's arguments are called, as comments. A reference needs none. */
function namesOf({ kind, observed }: LiveObject, args: Readonly<Record<string, Value>>): string[] {
  return Object.entries(kind.outputs).flatMap(([output, { spells = "" }]) => {
    const [id, name] = [args[spells], observed[output]];
    const isName = typeof id === "string" && isUuid(id) && typeof name === "string";
    return isName ? [`${spells}: ${quoted(name.replace(/^https?:.*\//, ""))}`] : [];
  });
}

/**
 * @param textAt returns the value of a text at a place in the value
 * @throws for a value that no object of the API has
 */
function plainValue(
  value: unknown,
  textAt = (_: readonly string[], text: string): Value => text,
  path: readonly string[] = [],
): Value {
  const inner = (name: string, one: unknown) => plainValue(one, textAt, [...path, name]);
  if (Array.isArray(value)) return value.map((one, index) => inner(String(index), one));
  if (typeof value === "object" && value !== null)
    return new ValueMap(Object.entries(value).map(([name, one]) => [name, inner(name, one)]));
  if (typeof value === "string") return textAt(path, value);
  if (typeof value === "boolean" || typeof value === "number") return value;
  // Error no-form-in-program: A value has a type that the program writer doesn't know. This is a bug.
  // Fix: Report it with the object's type.
  throw new Error(`There is no way to write ${typeof value} into a program.`);
}
