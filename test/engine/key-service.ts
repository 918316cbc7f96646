import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { json } from "node:stream/consumers";
import { closedAtEnd, serve } from "./ending.js";

/** The CLI's name for a secrets provider that keeps a stack's key in the service. */
export const SECRETS_PROVIDER = "hashivault://stacks";

let started: Promise<Readonly<Record<string, string>>> | undefined;

/**
 * A key service for the stacks of this file, with the two operations of Vault's transit engine that the CLI asks for.
 * Deriving a key from a passphrase takes the CLI a quarter of a second of processor time, in every command.
 *
 * @returns environment variables that lead the CLI to it
 */
export function keyService(): Promise<Readonly<Record<string, string>>> {
  started ??= start();
  return started;
}

/** The key of every stack in tests. It never changes, so that a recorded state can be decrypted later. */
const key = createHash("sha256").update("stacks in tests").digest();

export function decryptDataKey(encrypted: string): Buffer {
  const ciphertext = Buffer.from(encrypted, "base64").toString("utf8");
  return Buffer.from(decrypt(key, ciphertext.replace("vault:v1:", "")), "base64");
}

async function start(): Promise<Readonly<Record<string, string>>> {
  const operations: Record<string, (body: Record<string, string>) => Record<string, string>> = {
    "/v1/transit/encrypt/stacks": ({ plaintext = "" }) => ({
      ciphertext: `vault:v1:${encrypt(key, plaintext)}`,
    }),
    "/v1/transit/decrypt/stacks": ({ ciphertext = "" }) => ({
      plaintext: decrypt(key, ciphertext.replace("vault:v1:", "")),
    }),
  };
  const url = await serve(async (request, response) => {
    const operation = operations[request.url ?? ""];
    if (operation === undefined) return response.writeHead(404).end();
    const body = (await json(request)) as Record<string, string>;
    return response.end(JSON.stringify({ data: operation(body) }));
  });
  closedAtEnd({ close: () => (started = undefined) });
  return { VAULT_SERVER_URL: url, VAULT_SERVER_TOKEN: "test" };
}

function encrypt(key: Buffer, plaintext: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const sealed = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

function decrypt(key: Buffer, ciphertext: string): string {
  const sealed = Buffer.from(ciphertext, "base64");
  return opened(key, sealed.subarray(0, 12), sealed.subarray(12, 28), sealed.subarray(28));
}

/** Opens what AES-256-GCM has sealed. */
export function opened(key: Buffer, nonce: Buffer, tag: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv("aes-256-gcm", key, nonce);
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString("utf8");
}
