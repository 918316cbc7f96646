import * as z from "zod";
import { isSecret, type Properties, reveal, secretInFile } from "../../shared/protocol/encoded-values.js";

/** The name in a project of the file that `pulumi import --file` reads. */
export const IMPORT_FILE = "import.json";

export const importFileSchema = z.looseObject({
  /** URNs of parents and providers that are in the state already, by the names that resources refer to. */
  nameTable: z.record(z.string(), z.string()).optional(),
  resources: z
    .array(
      z.looseObject({
        type: z.string(),
        name: z.string(),
        /** Its name in the program, where another entry has the same. */
        logicalName: z.string().optional(),
        /** Absent for components and providers. */
        id: z.string().optional(),
        parent: z.string().optional(),
        provider: z.string().optional(),
        inputs: z.custom<Readonly<Properties>>().optional(),
        outputs: z.custom<Readonly<Properties>>().optional(),
      }),
    )
    .default([]),
});

export type ImportFile = z.infer<typeof importFileSchema>;

export type ImportedResource = ImportFile["resources"][number];

/** Pulumi reads a secret in a file by its plain text. */
export function importFileText(file: ImportFile): string {
  const inFile = (_name: string, value: unknown) =>
    isSecret(value) && "value" in value ? secretInFile(value.value) : value;
  return `${JSON.stringify(file, inFile, 2)}\n`;
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
