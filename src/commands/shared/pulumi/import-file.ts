import * as z from "zod";
import { isSecret, type Properties, reveal, secretInFile } from "../../../shared/protocol/encoded-values.js";

/** The file that `pulumi import --file` reads, as far as this package writes it. */

/** Its name in a project. */
export const IMPORT_FILE = "import.json";

/** A resource that is to be imported. */
export interface ImportedResource {
  readonly type: string;
  readonly name: string;
  /** Its name in the program, where another entry has the same. */
  readonly logicalName?: string | undefined;
  /** Absent for components and providers. */
  readonly id?: string | undefined;
  readonly parent?: string | undefined;
  readonly provider?: string | undefined;
  readonly inputs?: Readonly<Properties>;
  readonly outputs?: Readonly<Properties>;
}

export interface ImportFile {
  /** URNs of parents and providers that are in the state already, by the names that resources refer to. */
  readonly nameTable?: Readonly<Record<string, string>> | undefined;
  readonly resources: readonly ImportedResource[];
}

/** An import file, as the engine or this package writes it. */
export const importFileSchema = z.looseObject({
  nameTable: z.record(z.string(), z.string()).optional(),
  resources: z
    .array(
      z.looseObject({
        type: z.string(),
        name: z.string(),
        logicalName: z.string().optional(),
        id: z.string().optional(),
      }),
    )
    .default([]),
});

export function importFileText(file: ImportFile): string {
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Properties of which some are secret, as an import file has them. */
export function withSecrets(properties: Readonly<Properties>, secrets: ReadonlySet<unknown>): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => {
      if (!isSecret(value) && !secrets.has(name)) return [name, value];
      return [name, secretInFile(reveal(value))];
    }),
  );
}
