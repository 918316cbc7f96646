import type { ImportedResource } from "../import/import-file.js";
import { importId } from "../inventory/import-name.js";
import { claimOf, type Declarable, declarable, stateOf } from "../inventory/kinds.js";
import type { LiveObject } from "../inventory/listing.js";
import { objectKey } from "../inventory/object-key.js";
import { withArticle } from "../messages/nouns.js";
import { type Backend, typeToken } from "../protocol/type-token.js";
import { kinds } from "../provider/kinds.js";
import type { Observer } from "../provider/marks.js";
import type { AnyKind } from "../resources/kind.js";
import {
  CLUSTER,
  type ClusterReference,
  clusterCall,
  type ExportedCluster,
  findReference,
  STACKS,
} from "./cluster-references.js";
import {
  ENTRIES,
  type ExistingProject,
  findConstant,
  findDeclaration,
  type KnownResource,
} from "./existing-project.js";
import { quotedLiteral } from "./literal.js";
import { Module, withModules } from "./module.js";
import { Names } from "./names.js";
import { constantName, filePath, logicalName, pluralName, stemOf } from "./naming.js";
import { unknownComment } from "./remarks.js";
import { Code, type Declaration, type Expression, expressionOf } from "./statement.js";

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
  /** The program declares the object that they live in. */
  readonly isDeclared: boolean;
}

/** Writes objects into the files of a program, one after the other. */
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
  readonly #modules = new Map<string, Module>();
  /** Where the contents of an object go, by its key. */
  readonly #places = new Map<string, Site>();
  /** Values that only one resource of the program may have. */
  readonly #claims = new Set<string>();
  /** References to resources, by their keys: the module they hold in, and the code. */
  readonly #references = new Map<string, readonly [module: Module, code: string]>();

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
    const changed = [...this.#modules.values()].filter(({ isChanged }) => isChanged);
    const files: Record<string, string> = {};
    for (const module of changed) files[module.path] = module.text();
    const fresh = changed.map(({ path }) => path).filter((path) => !this.#project.files.has(path));
    if (fresh.length > 0) files[ENTRY] = withModules(this.#project.files.get(ENTRY), fresh);
    return files;
  }

  /** Returns those of some clusters, by id, that this program declares. */
  declaredClusters(ids: Iterable<string>): ExportedCluster[] {
    return [...ids].flatMap((id) => {
      const place = this.#placeOfDeclared(CLUSTER, id);
      return place === undefined
        ? []
        : [{ id, name: place.name, file: place.module.path, identifier: place.reference }];
    });
  }

  #placeOfDeclared(kind: string, id: string): Site | undefined {
    const key = objectKey(kind, id);
    const place = this.#places.get(key);
    if (place !== undefined) return place.isDeclared ? place : undefined;
    const name = this.#known.get(key)?.name;
    const found = name === undefined ? undefined : findDeclaration(this.#project, kind, name);
    if (name === undefined || found === undefined) return undefined;
    return { module: this.#module(found.file), name, reference: found.identifier, isDeclared: true };
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
      this.#references.set(objectKey(kind.name, id), [module, `${identifier}.id`]);
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
  #claim(object: LiveObject, args: Declarable["args"]): Pick<Declaration, "options"> | undefined {
    const { argument, claim } = claimOf(object, args) ?? {};
    if (argument === undefined || claim === undefined) return undefined;
    if (this.#claims.has(claim)) return { options: [["ignoreChanges", [argument]]] };
    this.#claims.add(claim);
    return undefined;
  }

  #argsOf({ kind }: LiveObject, { args }: Declarable, place: Site): (readonly [string, Expression])[] {
    return Object.entries(args).map(([argument, value]) => {
      if (argument === kind.parent?.argument) return [argument, new Code(place.reference)];
      const { refersTo } = kind.arguments[argument] ?? {};
      const reference = (one: unknown) =>
        refersTo === undefined || typeof one !== "string"
          ? expressionOf(one)
          : this.#referenceTo(refersTo, one, place.module);
      return [argument, Array.isArray(value) ? value.map(reference) : reference(value)];
    });
  }

  /** Returns the reference to an object in a module: its constant if that is certain, else its id. */
  #referenceTo(kind: string, id: string, module: Module): Expression {
    const key = objectKey(kind, id);
    const [home, code] = this.#references.get(key) ?? [];
    if (code !== undefined && home === module) return new Code(code);
    const name = this.#known.get(key)?.name;
    const found = name === undefined ? undefined : findDeclaration(this.#project, kind, name);
    return found?.file === module.path ? new Code(`${found.identifier}.id`) : id;
  }

  #identifierOf(object: LiveObject, place: Site): string {
    return isParent(object.kind) ? place.reference : constantName(object, place.module.names);
  }

  /** Where an object goes: to what it lives in, or to the file of its kind. */
  #placeOf(object: LiveObject): Site {
    if (object.parent !== undefined) return this.#placeIn(object.parent, object);
    return {
      module: this.#module(`${pluralName(object.kind)}.ts`),
      name: "",
      reference: "",
      isDeclared: false,
    };
  }

  /** Returns the place of an object with contents: a separate file, unless it lives in another object. */
  #ownPlace(object: LiveObject): Site {
    const above = object.parent && this.#placeIn(object.parent, object);
    const name = logicalName(object, above?.name ?? "", this.#names);
    const module = above?.module ?? this.#freshModule(object.kind, name);
    const place = { module, name, reference: constantName(object, module.names), isDeclared: true };
    this.#places.set(objectKey(object.kind.name, object.id), place);
    return place;
  }

  /** Where the contents of an object go: next to it where that is declared. */
  #placeIn(parent: LiveObject, object: LiveObject): Site {
    const key = objectKey(parent.kind.name, parent.id);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place =
      this.#placeOfDeclared(parent.kind.name, parent.id) ??
      this.#placeOfOthers(parent, object, this.#known.get(key)?.name);
    this.#places.set(key, place);
    return place;
  }

  /** Returns a file for the contents of an object of others, which is named by its id. */
  #placeOfOthers(parent: LiveObject, { kind, observed }: LiveObject, known: string | undefined): Site {
    const name = known ?? stemOf(parent);
    const argument = kind.parent?.argument ?? "id";
    const id = String(observed[argument]);
    const other = this.#source.references?.get(parent.id);
    const found = (other && findReference(this.#project, other)) ?? findConstant(this.#project, id);
    if (found !== undefined) {
      return { module: this.#module(found.file), name, reference: found.identifier, isDeclared: false };
    }
    const module = this.#freshModule(parent.kind, stemOf({ kind: parent.kind, label: name }));
    const reference = module.names.take(argument);
    const comment = (program: string) =>
      `/** The id of ${withArticle(parent.kind.words.noun)} that ${program}. */`;
    if (other === undefined) {
      module.constant(reference, quotedLiteral(id), comment("this program does not declare"));
    } else {
      module.use(STACKS.function, STACKS.module);
      module.constant(reference, clusterCall(other), comment("another project declares"));
    }
    return { module, name, reference, isDeclared: false };
  }

  #freshModule(kind: AnyKind, name: string): Module {
    return this.#module(`${this.#paths.take(filePath(kind, name))}.ts`);
  }

  #module(path: string): Module {
    let module = this.#modules.get(path);
    if (module === undefined) {
      module = new Module(path, this.#project.files.get(path), ENTRIES[this.#backend]);
      this.#modules.set(path, module);
    }
    return module;
  }
}

/** Checks whether other objects live in those of a kind, so that each has a separate file. */
function isParent({ name }: AnyKind): boolean {
  return [...kinds.values()].some(({ parent }) => parent?.kind === name);
}
