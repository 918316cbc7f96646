import type { StateResource } from "../inventory/stack-export.js";
import type { StackState } from "../report/stack-state.js";
import { namingFile, readJson } from "./files.js";

/** Reads the resources in a file that `pulumi stack export` wrote. */
export async function readExport(file: string): Promise<StateResource[]> {
  return readAs(file, (await import("../inventory/stack-export.js")).readStackExport);
}

/** Reads a file that `pulumi stack export` wrote, with the operations that were interrupted. */
export async function readState(file: string): Promise<StackState> {
  return readAs(file, (await import("../report/stack-state.js")).readStackState);
}

async function readAs<Result>(file: string, read: (value: unknown) => Result): Promise<Result> {
  const value = await readJson(file);
  return namingFile(file, () => read(value));
}
