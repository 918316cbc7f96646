import { withoutSecretFields } from "../../shared/messages/secrets.js";

/** A request the emulator saw. Credentials are never recorded. */
export interface RecordedRequest {
  /** 1 for the first request since the start, counting on. */
  readonly id: number;
  /** When it came, by the emulator's clock. ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** As it was sent, without the query, or `[forgotten]` like an old body. */
  readonly path: string;
  /** As it was sent, without `?`; empty when there is none. */
  readonly query: string;
  /**
   * The parsed JSON body, or the text if it isn't JSON. Undefined if there is no body, or the caller has no access
   * token. The latest 16 MB of bodies and addresses are kept; an older one is the text `[forgotten]`.
   */
  readonly body: unknown;
  /** The status it was answered with; null while it is under way, or when it was never answered. */
  readonly status: number | null;
  /** The operation it reached, as `queues.create`; undefined when none. */
  readonly operation: string | undefined;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

const mostRequests = 50_000;
const mostBytes = 16_000_000;
const forgotten = "[forgotten]";

export class RequestLog {
  readonly entries: RecordedRequest[] = [];
  /** The sizes of the requests that still have their bodies and addresses, oldest first. */
  readonly #whole = new Map<Mutable<RecordedRequest>, number>();
  #bytes = 0;
  #lastId = 0;

  /** Notes a request that came in, with the size of its body; the returned function notes what it was answered with. */
  add(request: Omit<RecordedRequest, "id" | "status">, size: number): (status: number) => void {
    this.#lastId += 1;
    const entry: Mutable<RecordedRequest> = {
      ...request,
      body: withoutSecretFields(withoutValue(request), "[secret]"),
      id: this.#lastId,
      status: null,
    };
    this.entries.push(entry);
    if (this.entries.length > mostRequests) this.entries.splice(0, mostRequests / 10);
    this.#keep(entry, size + entry.path.length + entry.query.length);
    return (status) => {
      entry.status = status;
    };
  }

  clear(): void {
    this.entries.length = 0;
    this.#whole.clear();
    this.#bytes = 0;
  }

  #keep(entry: Mutable<RecordedRequest>, size: number): void {
    this.#whole.set(entry, size);
    this.#bytes += size;
    const oldestId = this.entries[0]?.id ?? 0;
    for (const [oldest, itsSize] of this.#whole) {
      if (this.#bytes <= mostBytes && oldest.id >= oldestId) return;
      this.#whole.delete(oldest);
      this.#bytes -= itsSize;
      oldest.path = forgotten;
      if (oldest.query !== "") oldest.query = forgotten;
      if (oldest.body !== undefined) oldest.body = forgotten;
    }
  }
}

/** Returns the body; without the secrets of which only its operation says what they are. */
function withoutValue({ operation = "", body }: Pick<RecordedRequest, "operation" | "body">): unknown {
  if (typeof body !== "object" || body === null) return body;
  if (operation.startsWith("clusterSecrets.") && "value" in body) return { ...body, value: "[secret]" };
  if (!operation.startsWith("notificationServices.") || !("settings" in body)) return body;
  const settings = Object.entries(Object(body.settings)).map(([key, value]) => {
    const isSecret = key === "headers" || (key === "url" && /slack/i.test(String(value)));
    return [key, isSecret ? "[secret]" : value];
  });
  return { ...body, settings: Object.fromEntries(settings) };
}
