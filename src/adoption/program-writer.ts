import type { KindName } from "../inventory/kind-names.js";
import {
  claimOf,
  type Declarable,
  declarable,
  type Observer,
  parentArgument,
  stateOf,
} from "../inventory/kinds.js";
import { type LiveObject, labelOf } from "../inventory/listing.js";
import { type Backend, typeToken } from "../protocol/type-token.js";
import {
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
  keyOf,
} from "./existing-project.js";
import type { ImportedResource } from "./import-file.js";
import { quotedLiteral } from "./literal.js";
import { Module, withModules } from "./module.js";
import { fileStem, Names, slug } from "./names.js";
import { constantName, logicalName, pluralName } from "./naming.js";
import { Code, type Declaration, type Expression } from "./statement.js";

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
  /** What people call it. */
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

const TEAM_DEFAULTS_UNKNOWN =
  "// The API doesn't return the last two, and every update sends them. Compare them with the web interface.";

const DUPLICATE =
  "// Another name makes the same slug. ignoreChanges allows that for an object that exists already.";

const NOT_DECLARED = "/** The id of a cluster that this program does not declare. */";

const OF_OTHER_PROJECT = "/** The id of a cluster that another project declares. */";

/** What stands for a cluster in a module, and the start of the names of what is in it. */
interface ClusterPlace {
  readonly module: Module;
  readonly name: string;
  readonly reference: string;
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
  readonly #fileStems: Names;
  readonly #modules = new Map<string, Module>();
  readonly #clusters = new Map<string, ClusterPlace>();
  /** What resources of the program say that only one may say. */
  readonly #claims = new Set<string>();
  /** References to queues, by id: the module they hold in, and the code. */
  readonly #queues = new Map<string, readonly [module: Module, code: string]>();

  constructor(source: Source, known: readonly KnownResource[]) {
    const { project, backend } = source;
    this.#source = source;
    this.#project = project;
    this.#backend = backend;
    this.#known = new Map(known.map((one) => [keyOf(one), one]));
    this.#names = new Names(
      known.map(({ name }) => name),
      "-",
    );
    const stems = [...project.files.keys()].flatMap(
      (path) => /^clusters\/(.*)\.ts$/.exec(path.toLowerCase())?.[1] ?? [],
    );
    this.#fileStems = new Names(stems, "-");
  }

  /** The program's files that change. */
  files(): Record<string, string> {
    const changed = [...this.#modules.values()].filter(({ isChanged }) => isChanged);
    const files: Record<string, string> = {};
    for (const module of changed) files[module.path] = module.text();
    const fresh = changed.map(({ path }) => path).filter((path) => !this.#project.files.has(path));
    if (fresh.length > 0) files[ENTRY] = withModules(this.#project.files.get(ENTRY), fresh);
    return files;
  }

  /** Those of some clusters, by id, that this program declares. */
  declaredClusters(ids: Iterable<string>): ExportedCluster[] {
    return [...ids].flatMap((id) => {
      const place = this.#placeOfDeclared(id);
      return place === undefined
        ? []
        : [{ id, name: place.name, file: place.module.path, identifier: place.reference }];
    });
  }

  #placeOfDeclared(id: string): ClusterPlace | undefined {
    const place = this.#clusters.get(id);
    if (place !== undefined) return place.isDeclared ? place : undefined;
    const name = this.#known.get(keyOf({ kind: "Cluster", id }))?.name;
    const found = name === undefined ? undefined : findDeclaration(this.#project, "Cluster", name);
    if (name === undefined || found === undefined) return undefined;
    return { module: this.#module(found.file), name, reference: found.identifier, isDeclared: true };
  }

  /** An object that the program declares already. */
  know(object: LiveObject): void {
    const parent = "cluster" in object ? object.cluster : undefined;
    this.#claim(object.kind, declarable(object.kind, object.entity, parent).args);
  }

  add(object: LiveObject): void {
    const parent = "cluster" in object ? object.cluster : undefined;
    const type = typeToken(object.kind, this.#backend);
    const described = declarable(object.kind, object.entity, parent);
    if (described.problems.length > 0) {
      const reason = described.problems.join(" ");
      this.leftOut.push({ type, id: object.id, label: labelOf(object), reason });
      return;
    }
    const place = "cluster" in object ? this.#placeIn(object.cluster.id, object) : this.#placeOf(object);
    const name = object.kind === "Cluster" ? place.name : logicalName(object, place.name, this.#names);
    const identifier = this.#identifierOf(object, place);
    const { module } = place;
    const duplicate = this.#claim(object.kind, described.args);
    const declaration = {
      identifier,
      className: object.kind,
      logicalName: name,
      options: duplicate?.options,
    };
    module.declare({ ...declaration, args: this.#argsOf(object, described, place) }, [
      ...(described.unknownAtImport.length > 0 ? [TEAM_DEFAULTS_UNKNOWN] : []),
      ...(duplicate === undefined ? [] : [DUPLICATE]),
    ]);
    if (object.kind === "Queue" && identifier !== undefined)
      this.#queues.set(object.id, [module, `${identifier}.id`]);
    this.objects.push(object);
    this.adopted.push({ type, id: object.id, name, file: module.path });
    this.imports.push(
      this.#backend === "dynamic"
        ? { type, name, id: object.id, ...this.#stateOf(object, parent) }
        : { type, name, id: idForPlugin(object) },
    );
  }

  #stateOf(object: LiveObject, parent: object | undefined) {
    const { organization, observer } = this.#source;
    return stateOf(object.kind, organization, object.entity, parent, observer);
  }

  /** What lets a resource say what another one says already; undefined where none does. */
  #claim(kind: KindName, args: Declarable["args"]): Pick<Declaration, "options"> | undefined {
    const { argument, claim } = claimOf(kind, args) ?? {};
    if (argument === undefined || claim === undefined) return undefined;
    if (this.#claims.has(claim)) return { options: [["ignoreChanges", [argument]]] };
    this.#claims.add(claim);
    return undefined;
  }

  #identifierOf(object: LiveObject, place: ClusterPlace): string | undefined {
    // Nothing would refer to a default queue.
    if (object.kind === "ClusterDefaultQueue") return undefined;
    return object.kind === "Cluster" ? place.reference : constantName(object, place.module.names);
  }

  #argsOf(object: LiveObject, { args }: Declarable, place: ClusterPlace): (readonly [string, Expression])[] {
    return Object.entries(args).map(([argument, value]) => {
      if (argument === parentArgument(object.kind)) return [argument, new Code(place.reference)];
      if (object.kind === "ClusterDefaultQueue" && argument === "queueId") {
        return [argument, this.#referenceToQueue(String(value), place.module)];
      }
      return [argument, expressionOf(value)];
    });
  }

  #referenceToQueue(id: string, module: Module): Expression {
    const [home, code] = this.#queues.get(id) ?? [];
    if (code !== undefined && home === module) return new Code(code);
    const name = this.#known.get(keyOf({ kind: "Queue", id }))?.name;
    const found = name === undefined ? undefined : findDeclaration(this.#project, "Queue", name);
    return found?.file === module.path ? new Code(`${found.identifier}.id`) : id;
  }

  /** Where an object that lives in no cluster goes; a cluster gets a file of its own. */
  #placeOf(object: LiveObject): ClusterPlace {
    if (object.kind !== "Cluster") {
      const module = this.#module(`${pluralName(object.kind)}.ts`);
      return { module, name: "", reference: "", isDeclared: false };
    }
    const name = logicalName(object, "", this.#names);
    const module = this.#module(this.#freshFile(name));
    const place = { module, name, reference: constantName(object, module.names), isDeclared: true };
    this.#clusters.set(object.id, place);
    return place;
  }

  /** Where what lives in a cluster goes: beside the cluster where that is declared. */
  #placeIn(
    cluster: string,
    object: LiveObject & { readonly cluster: { readonly name: string } },
  ): ClusterPlace {
    const known = this.#clusters.get(cluster);
    if (known !== undefined) return known;
    const name = this.#known.get(keyOf({ kind: "Cluster", id: cluster }))?.name;
    const place = this.#placeOfDeclared(cluster) ?? this.#placeOfOthers(cluster, object, name);
    this.#clusters.set(cluster, place);
    return place;
  }

  /** A file for what lives in a cluster of others, which is named by its id. */
  #placeOfOthers(
    cluster: string,
    object: LiveObject & { readonly cluster: { readonly name: string } },
    known: string | undefined,
  ): ClusterPlace {
    const name = known ?? (slug(object.cluster.name) || "cluster");
    const other = this.#source.references?.get(cluster);
    const found = (other && findReference(this.#project, other)) ?? findConstant(this.#project, cluster);
    if (found !== undefined) {
      return { module: this.#module(found.file), name, reference: found.identifier, isDeclared: false };
    }
    const module = this.#module(this.#freshFile(slug(name) || "cluster"));
    const reference = module.names.take("clusterId");
    if (other === undefined) module.constant(reference, quotedLiteral(cluster), NOT_DECLARED);
    else {
      module.use(STACKS.function, STACKS.module);
      module.constant(reference, clusterCall(other), OF_OTHER_PROJECT);
    }
    return { module, name, reference, isDeclared: false };
  }

  #freshFile(name: string): string {
    return `clusters/${this.#fileStems.take(fileStem(name))}.ts`;
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

/** What the plugin finds an object by, and reads it. A default queue is identified as its cluster. */
function idForPlugin(object: LiveObject): string {
  const isInside = object.kind === "Queue" || object.kind === "AgentToken";
  return isInside ? `${object.cluster.id}/${object.id}` : object.id;
}

function expressionOf(value: unknown): Expression {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(String);
  throw new Error(`There is no way to write ${typeof value} into a program.`);
}
