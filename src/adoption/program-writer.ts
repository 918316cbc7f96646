import type { ImportedResource } from "../import/import-file.js";
import { importId } from "../inventory/import-name.js";
import { claimOf, type Declarable, declarable, stateOf } from "../inventory/kinds.js";
import type { LiveObject } from "../inventory/listing.js";
import { objectKey } from "../inventory/object-key.js";
import { withArticle } from "../messages/nouns.js";
import { type Backend, typeToken } from "../protocol/type-token.js";
import type { Observer } from "../provider/missing/marks.js";
import { kinds } from "../provider/values/kinds.js";
import type { AnyKind } from "../resources/kind.js";
import {
  CLUSTER,
  type ClusterReference,
  clusterCall,
  type ExportedCluster,
  STACKS,
} from "./cluster-references.js";
import { ENTRIES, type ExistingProject, type KnownResource } from "./existing-project.js";
import type { ExportedConstant } from "./exported-constants.js";
import { quotedLiteral } from "./literal.js";
import { Module, withModules } from "./module.js";
import { Names } from "./names.js";
import { constantName, filePath, logicalName, pluralName, stemOf } from "./naming.js";
import { unknownComment } from "./remarks.js";
import { Code, type Expression, expressionOf } from "./statement.js";

/** An object that a program declares from now on. */
export interface AdoptedResource {
  readonly type: string;
  readonly id: string;
  /** Its name in the program. */
  readonly name: string;
  readonly file: string;
}

/** An object that no program can declare as it is. */
export interface LeftOut {
  readonly type: string;
  readonly id: string;
  /** Its name for people. */
  readonly label: string;
  readonly reason: string;
}

/** Where objects come from and go to. */
export interface Source {
  readonly organization: string;
  readonly observer: Observer;
  readonly project: ExistingProject;
  readonly backend: Backend;
  /** Clusters that other projects declare, by id. Default: none, and each is named by its id. */
  readonly references?: ReadonlyMap<string, ClusterReference> | undefined;
}

const ENTRY = "index.ts";

const DUPLICATE =
  "// Another name makes the same slug. ignoreChanges allows that for an object that exists already.";

/** Where objects are declared: the expression for their parent, and the start of their names. */
interface Site {
  readonly module: Module;
  readonly name: string;
  readonly reference: string;
}

/** Writes objects into new files of a program, one after the other. */
export class ProgramWriter {
  readonly adopted: AdoptedResource[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly imports: ImportedResource[] = [];
  readonly objects: LiveObject[] = [];
  readonly #source: Source;
  readonly #project: ExistingProject;
  readonly #known: ReadonlyMap<string, KnownResource>;
  readonly #backend: Backend;
  readonly #names: Names;
  /** Paths of the program's files, without their ending. */
  readonly #paths: Names;
  readonly #modules: Module[] = [];
  /** Files of resource types without contents, by the type. */
  readonly #shared = new Map<string, Module>();
  /** Where the contents of an object go, by its key. */
  readonly #places = new Map<string, Site>();
  /** Values that only one resource of the program may have. */
  readonly #claims = new Set<string>();
  /** Resources of this run with a constant, by their keys. */
  readonly #declared = new Map<string, ExportedConstant & { readonly name: string }>();
  /** Names of imported constants, by the module that imports them and the resource's key. */
  readonly #imported = new Map<string, string>();

  constructor(source: Source, known: readonly KnownResource[]) {
    const { project, backend } = source;
    this.#source = source;
    this.#project = project;
    this.#backend = backend;
    this.#known = new Map(known.map((one) => [objectKey(one.kind, one.id), one]));
    this.#names = new Names(
      known.map(({ name }) => name),
      "-",
    );
    this.#paths = new Names(
      [...project.files.keys()].map((path) => path.toLowerCase().replace(/\.ts$/, "")),
      "-",
    );
  }

  /** Returns the program's files that change. */
  files(): Record<string, string> {
    const written = this.#modules.filter(({ hasResources }) => hasResources);
    const files = Object.fromEntries(written.map((module) => [module.path, module.text()]));
    if (written.length === 0) return files;
    const paths = written.map(({ path }) => path);
    return { ...files, [ENTRY]: withModules(this.#project.files.get(ENTRY) ?? "", paths) };
  }

  /** Returns those of some clusters, by id, that this program declares. */
  declaredClusters(ids: Iterable<string>): ExportedCluster[] {
    return [...ids].flatMap((id) => {
      const key = objectKey(CLUSTER, id);
      const name = this.#declared.get(key)?.name ?? this.#known.get(key)?.name;
      return name === undefined ? [] : [{ id, name, constant: this.#constantOf(CLUSTER, id) }];
    });
  }

  /** Returns the exported constant of a resource, of this run or of the existing program. */
  #constantOf(kind: string, id: string): ExportedConstant | undefined {
    const key = objectKey(kind, id);
    const known = this.#known.get(key);
    return this.#declared.get(key) ?? (known && this.#project.exported(kind, known.name));
  }

  /** Returns the code that refers to a resource from a module: its constant, imported where another file has it. */
  #referenceFrom(module: Module, kind: string, id: string): string | undefined {
    const constant = this.#constantOf(kind, id);
    if (constant === undefined || constant.file === module.path) return constant?.identifier;
    const key = `${module.path} ${objectKey(kind, id)}`;
    const local = this.#imported.get(key) ?? module.import(constant.identifier, constant.file);
    this.#imported.set(key, local);
    return local;
  }

  /** An object that the program declares already. */
  know(object: LiveObject): void {
    this.#claim(object, declarable(object).args);
  }

  add(object: LiveObject): void {
    const { kind, id, label } = object;
    const type = typeToken(kind.name, this.#backend);
    const described = declarable(object);
    if (described.problems.length > 0) {
      this.leftOut.push({ type, id, label, reason: described.problems.join(" ") });
      return;
    }
    const hasContents = isParent(kind);
    const place = hasContents ? this.#ownPlace(object) : this.#placeOf(object);
    const { module } = place;
    const name = hasContents ? place.name : logicalName(object, place.name, this.#names);
    // Nothing refers to a view of another object.
    const identifier = object.viewOf === undefined ? this.#identifierOf(object, place) : undefined;
    const duplicate = this.#claim(object, described.args);
    module.declare(
      {
        identifier,
        className: kind.name,
        logicalName: name,
        args: this.#argsOf(object, described, place),
        options: duplicate?.options,
      },
      [
        ...(described.unknownAtImport.length > 0 ? [unknownComment(described.unknownAtImport)] : []),
        ...(duplicate === undefined ? [] : [DUPLICATE]),
      ],
    );
    if (identifier !== undefined)
      this.#declared.set(objectKey(kind.name, id), { name, file: module.path, identifier });
    this.objects.push(object);
    this.adopted.push({ type, id, name, file: module.path });
    const { organization, observer } = this.#source;
    this.imports.push(
      this.#backend === "dynamic"
        ? { type, name, id, ...stateOf(object, organization, observer) }
        : { type, name, id: importId(object) },
    );
  }

  /**
   * Returns the options of a resource with a value that another one has already. Undefined if no other has it.
   */
  #claim(
    object: LiveObject,
    args: Declarable["args"],
  ): { readonly options: { ignoreChanges: string[] } } | undefined {
    const { argument, claim } = claimOf(object, args) ?? {};
    if (argument === undefined || claim === undefined) return undefined;
    if (this.#claims.has(claim)) return { options: { ignoreChanges: [argument] } };
    this.#claims.add(claim);
    return undefined;
  }

  #argsOf({ kind }: LiveObject, { args }: Declarable, place: Site): Record<string, Expression> {
    const written = Object.entries(args).map(([argument, value]): [string, Expression] => {
      if (argument === kind.parent?.argument) return [argument, new Code(place.reference)];
      const { refersTo } = kind.arguments[argument] ?? {};
      const reference = (one: unknown) => {
        const constant =
          refersTo === undefined || typeof one !== "string"
            ? undefined
            : this.#referenceFrom(place.module, refersTo, one);
        return constant === undefined ? expressionOf(one) : new Code(`${constant}.id`);
      };
      return [argument, Array.isArray(value) ? value.map(reference) : reference(value)];
    });
    return Object.fromEntries(written);
  }

  #identifierOf(object: LiveObject, place: Site): string {
    return isParent(object.kind) ? place.reference : constantName(object, place.module.names);
  }

  /** Where an object goes: to what it lives in, or to the file of its kind. */
  #placeOf(object: LiveObject): Site {
    if (object.parent !== undefined) return this.#placeIn(object.parent, object);
    const name = pluralName(object.kind);
    const module = this.#shared.get(name) ?? this.#freshModule(name);
    this.#shared.set(name, module);
    return { module, name: "", reference: "" };
  }

  /** Returns the place of an object with contents: a separate file, unless it lives in another object. */
  #ownPlace(object: LiveObject): Site {
    const above = object.parent && this.#placeIn(object.parent, object);
    const name = logicalName(object, above?.name ?? "", this.#names);
    const module = above?.module ?? this.#freshModule(filePath(object.kind, name));
    const place = { module, name, reference: constantName(object, module.names) };
    this.#places.set(objectKey(object.kind.name, object.id), place);
    return place;
  }

  /** Where the contents of an object go: next to it, or into a new file where it was declared before. */
  #placeIn(parent: LiveObject, object: LiveObject): Site {
    const key = objectKey(parent.kind.name, parent.id);
    const place = this.#places.get(key) ?? this.#newPlaceIn(parent, object, this.#known.get(key)?.name);
    this.#places.set(key, place);
    return place;
  }

  #newPlaceIn(parent: LiveObject, { kind, observed }: LiveObject, known: string | undefined): Site {
    const name = known ?? stemOf(parent);
    const module = this.#freshModule(filePath(parent.kind, stemOf({ kind: parent.kind, label: name })));
    const imported = this.#referenceFrom(module, parent.kind.name, parent.id);
    if (imported !== undefined) return { module, name, reference: imported };
    const argument = kind.parent?.argument ?? "id";
    const reference = module.names.take(argument);
    const other = this.#source.references?.get(parent.id);
    const place = other ? "another project declares" : "this program does not declare";
    const program = known === undefined ? place : "another file declares";
    const comment = `/** The id of ${withArticle(parent.kind.words.noun)} that ${program}. */`;
    const code =
      other === undefined
        ? quotedLiteral(String(observed[argument]))
        : clusterCall(module.import(STACKS.function, STACKS.file), other);
    module.constant(reference, code, comment);
    return { module, name, reference };
  }

  /** Returns a new file. @param path without its ending */
  #freshModule(path: string): Module {
    const module = new Module(`${this.#paths.take(path)}.ts`, ENTRIES[this.#source.backend]);
    this.#modules.push(module);
    return module;
  }
}

/** Checks whether other objects live in those of a kind, so that each has a separate file. */
function isParent({ name }: AnyKind): boolean {
  return [...kinds.values()].some(({ parent }) => parent?.kind === name);
}
