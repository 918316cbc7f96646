import { catchUp } from "./builds/work.js";
import { controlsOf, need } from "./controls.js";
import type { Emulator, EmulatorOptions } from "./emulator.js";
import { Faults } from "./http/faults.js";
import { RateLimiter } from "./http/limits.js";
import { RequestLog } from "./http/request-log.js";
import type { EmulatedService } from "./http/service.js";
import { variationsLike } from "./model/variations.js";
import { completePipelines } from "./pipelines/record.js";
import { collections } from "./sections.js";
import { ownTokens, plantSeed, type TokenPurpose } from "./seed.js";
import { listen, pageKeyOf } from "./server.js";
import { DataFile } from "./store/data-file.js";
import { Store } from "./store/store.js";

/**
 * Starts the emulator of Buildkite's REST API on this machine, in memory or with a file.
 *
 * @throws if the host isn't a loopback address, the port is taken, or the slug is invalid. Also if the data file is in
 *   use, damaged, of another organization or of another program.
 *
 * @example const emulator = await startEmulator({ seed: false, limits: "real" }); const response = await
 *   fetch(`${emulator.url}/v2/organizations/${emulator.organization}/clusters`, { headers: { authorization: `Bearer
 *   ${emulator.accessToken}` }, }); await emulator.close();
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const host = options.host ?? "127.0.0.1";
  requireLoopback(host);
  const { jobSeconds } = options;
  if (jobSeconds !== undefined && !(jobSeconds > 0)) {
    throw new Error("jobSeconds must be more than 0.");
  }
  const clock = options.clock ?? (() => new Date());
  const variations = { ...variationsLike(options.like), ...options.variations };
  const limits = options.limits ?? "off";
  // A port that is taken leaves the data file untouched.
  const server = await listen(host, options.port ?? 0);
  let store: Store;
  try {
    store = openStore(options, clock);
  } catch (error) {
    await server.close();
    throw error;
  }
  const { slug, seeded, secretOf } = identityOf(store);
  const accessToken = secretOf("full");
  const service: EmulatedService = {
    store,
    variations,
    clock,
    work: jobSeconds === undefined ? undefined : (data, now) => catchUp(data, now, jobSeconds),
    limiter: limits === "off" ? undefined : new RateLimiter(limits === "real" ? {} : limits, clock),
    faults: new Faults(clock),
    requests: new RequestLog(),
    listeners: new Set(),
    unlisted: new Map(),
    readLagMs: (options.readLagSeconds ?? 0) * 1_000,
    unread: new Map(),
    callerAddress: options.callerAddress,
  };
  const key = pageKeyOf(accessToken);
  server.serve(service, key);
  return {
    ...controlsOf(service),
    url: server.url,
    pageUrl: `${server.url}/?key=${key}`,
    organization: slug,
    accessToken,
    readOnlyAccessToken: secretOf("read-only"),
    spareAccessToken: secretOf("spare"),
    reset: async () => {
      const fresh = new Store(collections);
      plantSeed(fresh.data, { slug, seeded, now: clock() }, secretOf);
      store.restore(fresh.snapshot());
      service.faults.clear();
      service.requests.clear();
      service.limiter?.reset();
    },
    close: async () => {
      await server.close();
      store.close();
    },
  };
}

function openStore(options: EmulatorOptions, clock: () => Date): Store {
  const slug = options.organization ?? "acme";
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) {
    throw new Error(`organization must be lower-case letters, digits and single hyphens, as in "my-team".`);
  }
  const file = options.data === undefined ? undefined : DataFile.open(options.data);
  const store = new Store(collections, file);
  try {
    const kept = file?.read() ?? [];
    if (kept.length === 0) {
      const seed = { slug, seeded: options.seed ?? true, now: clock() };
      store.transaction(() => plantSeed(store.data, seed));
      return store;
    }
    store.replay(kept);
    store.transaction(() => complete(store.data));
    const found = identityOf(store).slug;
    if (options.organization !== undefined && found !== options.organization) {
      throw new Error(
        `${options.data} holds the organization ${found}, not ${options.organization}. ` +
          "Leave the organization out, or use another file.",
      );
    }
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Completes what an earlier version has written: its tokens have every scope of theirs, its pipelines every field. */
function complete(data: Store["data"]): void {
  for (const { id, purpose, scopes } of data.accessTokens.list()) {
    const all = purpose === null ? scopes : ownTokens[purpose];
    if (all.some((scope) => !scopes.includes(scope))) data.accessTokens.update(id, { scopes: all });
  }
  completePipelines(data, data.accessTokens.find("purpose", "full")?.user_id ?? "");
}

/** Returns what an organization keeps over a reset. */
function identityOf({ data }: Store) {
  const { slug, seeded } = need(data.organizations.list()[0], "organization");
  const secretOf = (purpose: TokenPurpose) =>
    need(data.accessTokens.find("purpose", purpose), `access token for ${purpose}`).token;
  return { slug, seeded, secretOf };
}

function requireLoopback(host: string): void {
  if (host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host)) return;
  throw new Error(
    `host must be a loopback address (127.0.0.1, ::1 or localhost), not ${host}: ` +
      "the emulator is for this machine only.",
  );
}
