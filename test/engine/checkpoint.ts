import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { decryptDataKey, opened } from "./key-service.js";

/** How Pulumi marks a secret in its state. */
const MARK = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

const stateFile = z.object({
  checkpoint: z.object({
    latest: z
      .object({
        secrets_providers: z.object({ state: z.object({ encryptedkey: z.string().optional() }) }).optional(),
        resources: z.array(z.looseObject({ type: z.string() })).optional(),
      })
      .nullish(),
  }),
});

export type Resources = readonly Readonly<Record<string, unknown>>[];

/**
 * Reads the state that the file backend keeps. This saves a run of the CLI for each look at the state, and two for the
 * outputs of each deployment.
 *
 * @returns the resources with secrets as `pulumi stack export --show-secrets` prints them, or undefined if the state is
 *   encrypted in another way than by the key service
 */
export function resourcesIn(file: string): Resources | undefined {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  const { latest } = stateFile.parse(JSON.parse(text)).checkpoint;
  const key = latest?.secrets_providers?.state.encryptedkey;
  if (key === undefined && text.includes('"ciphertext"')) return undefined;
  const dataKey = key === undefined ? undefined : decryptDataKey(key);
  const revealed = mapSecrets(latest?.resources ?? [], ({ ciphertext, ...others }) => ({
    ...{ [MARK]: SECRET, ...others },
    plaintext: decrypt(dataKey, String(ciphertext)),
  }));
  return z.array(z.record(z.string(), z.unknown())).parse(revealed);
}

export function outputsIn(resources: Resources): Readonly<Record<string, unknown>> {
  return plain(resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {});
}

/** Puts plain text in the place of secrets. */
export function plain(properties: unknown): Record<string, unknown> {
  const values = mapSecrets(properties, ({ plaintext }) => JSON.parse(String(plaintext)));
  return z.record(z.string(), z.unknown()).parse(values);
}

/** Replaces each secret in a part of the state. */
function mapSecrets(value: unknown, reveal: (secret: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => mapSecrets(entry, reveal));
  if (typeof value !== "object" || value === null) return value;
  const { [MARK]: mark, ...others } = Object.fromEntries(Object.entries(value));
  if (mark === SECRET) return reveal(others);
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, mapSecrets(entry, reveal)]));
}

/** Decrypts a value that the CLI encrypted with the stack's data key: AES-256-GCM, `v1:<nonce>:<text and tag>`. */
function decrypt(dataKey: Buffer | undefined, ciphertext: string): string {
  const [version, nonce = "", sealed = ""] = ciphertext.split(":");
  if (dataKey === undefined || version !== "v1")
    throw new Error(`The state has a secret in an unknown form: ${version}.`);
  const bytes = Buffer.from(sealed, "base64");
  return opened(dataKey, Buffer.from(nonce, "base64"), bytes.subarray(-16), bytes.subarray(0, -16));
}
