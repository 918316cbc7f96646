import type * as pulumi from "@pulumi/pulumi";
import { counted } from "../../shared/messages/nouns.js";
import { quoted } from "../../shared/messages/quoted.js";
import { IMPORT, PROBLEMS } from "../../shared/protocol/properties.js";
import { COMPONENT_DATA, sdk } from "../../shared/protocol/sdk.js";
import { nameOfUrn } from "../../shared/protocol/urn.js";

/**
 * Reports at the end of a preview the problems that the provider found, and the number of imports. The engine ends a
 * preview at the first resource that the provider refuses. So in a preview the provider lets such a resource pass and
 * returns its problems: then the preview reports those of all resources.
 */
export class PreviewEnd {
  readonly #stack: pulumi.Resource;
  readonly #fail: (text: string) => void;
  readonly #problems = new Map<string, string[]>();
  #waiting = 0;
  #imports = 0;
  #reportedImports = 0;

  /** @param fail reports a problem and makes the program fail in the end */
  constructor(stack: pulumi.Resource, fail: (text: string) => void) {
    this.#stack = stack;
    this.#fail = fail;
  }

  /** Waits for the preview of a resource, and for the end. Never rejects. */
  async watch(resource: pulumi.CustomResource): Promise<void> {
    this.#waiting += 1;
    // An inline program would lose its engine before the report.
    const done = sdk().runtime.rpcKeepAlive();
    const { name, problems, isImported } = await previewOf(resource);
    for (const problem of problems) {
      this.#problems.set(problem, [...(this.#problems.get(problem) ?? []), name]);
    }
    if (isImported) this.#imports += 1;
    await ended(this.#stack);
    this.#waiting -= 1;
    // Code that waits for this resource may be about to create another one.
    setImmediate(() => {
      if (this.#waiting === 0) this.#report();
      done();
    });
  }

  #report(): void {
    for (const [problem, names] of this.#problems) this.#fail(`${listed(names)}: ${problem}`);
    this.#problems.clear();
    const count = this.#imports;
    if (count === this.#reportedImports) return;
    this.#reportedImports = count;
    void sdk().log.info(`${counted(count, "resource")} shown as create will be imported instead.`);
  }
}

/** The most resources that are named as having the same problem. */
const MOST_NAMED = 5;

function listed(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED).map(quoted);
  const more = names.length - named.length;
  return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

async function previewOf(resource: pulumi.CustomResource) {
  const isImported = Object.hasOwn(resource, IMPORT);
  const { id, urn } = resource;
  const known = await sdk()
    .runtime.serializeProperties("preview", { id, urn, problems: PROBLEMS in resource && resource[PROBLEMS] })
    // Pulumi itself reports why a resource has failed.
    .catch(() => ({ id: "", urn: "", problems: undefined }));
  const problems: readonly unknown[] = Array.isArray(known.problems) ? known.problems : [];
  return {
    name: nameOfUrn(String(known.urn)),
    problems: problems.map(String),
    // Pulumi knows no id of what it takes for new.
    isImported: isImported && known.id === sdk().runtime.unknownValue && problems.length === 0,
  };
}

/** Waits for the program's own promise: it has ended then, but for what it makes when an output is known. */
async function ended(stack: pulumi.Resource): Promise<void> {
  try {
    await (COMPONENT_DATA in stack && stack[COMPONENT_DATA]);
  } catch {
    // Pulumi reports why the program has failed.
  }
}
