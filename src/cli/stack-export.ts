import type { StateResource } from "../inventory/stack-export.js";
import { readJson } from "./files.js";

/** Reads the resources in a file that `pulumi stack export` wrote. */
export async function readExport(file: string): Promise<StateResource[]> {
  const value = await readJson(file);
  const { readStackExport } = await import("../inventory/stack-export.js");
  try {
    return readStackExport(value);
  } catch (error) {
    throw new Error(`${file} ${error instanceof Error ? error.message : String(error)}`);
  }
}
