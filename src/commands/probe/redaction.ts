import { operations } from "../../client/index.js";
import { SECRET_FIELDS } from "../../shared/messages/secrets.js";

const SECRET = "[redacted]";
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const WHOLE_UUID = new RegExp(`^${UUID.source}$`, "i");
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:]+)(?:\/\d{1,3})?$/i;
const EMAIL = /^[^\s@/]+@[^\s@/]+$/;
/** A short number, such as that of a build or a page, or a flag. */
const PLAIN = /^(?:\d{1,6}|true|false)$/;

/** Maps whose keys users choose. */
const OPEN = /^(?:env|meta_?data|teams|tags|matrix)$/;
/** A token isn't the name of a field, wherever it stands. */
const FIELD = /^(?!bk[a-z]{1,3}_)[a-z][A-Za-z0-9_]{0,63}$/;

/** Parts of the API's paths, and values of the API's own lists: equal in every organization. */
const PATH_WORDS = new Set(
  operations.flatMap(({ path }) => path.split("/")).filter((part) => /^\w[\w-]*$/.test(part)),
);
const LISTED =
  /^(?:\w*state|privacy|\w*role|access_level|source|type|result|visibility|trigger_mode|scopes|retry_agent_affinity)$/;
const WORDS = new Set([
  ...operations.flatMap(({ scope }) => scope ?? []),
  ...[
    "visible",
    "secret",
    "public",
    "private",
    "member",
    "maintainer",
    "admin",
    "user",
    "team",
    "read",
    "edit",
  ],
  ...["read_only", "build_and_read", "manage_build_and_read", "prefer-warmest", "prefer-different"],
  ...["scheduled", "running", "failing", "passed", "failed", "blocked", "canceled", "canceling", "skipped"],
  ...[
    "finished",
    "pending",
    "unknown",
    "waiting",
    "assigned",
    "accepted",
    "timed_out",
    "broken",
    "unblocked",
  ],
  ...["connected", "disconnected", "never_connected", "stopping", "stopped", "lost"],
  ...["ui", "api", "webhook", "schedule", "trigger_job", "code", "deployment", "fork", "none"],
  ...["script", "waiter", "manual", "trigger"],
]);

/**
 * Takes out of recorded traffic what belongs to an organization. An id, a name or an address becomes the same stand-in
 * wherever it stands, so that a path still fits the object that it names. Secrets leave nothing. What remains is what the
 * API determines: fields, types, times, short numbers, states, and the words of its paths.
 */
export class Redaction {
  readonly #standIns = new Map<string, string>();

  /** @param field the field that has the value; a list's entries have that of the list */
  value(value: unknown, field = "", isOpen = false): unknown {
    if (typeof value === "boolean" || value === null) return value;
    if (SECRET_FIELDS.test(field)) return SECRET;
    if (typeof value === "string") return this.#text(value, field);
    if (Array.isArray(value)) return value.map((entry) => this.value(entry, field, isOpen));
    if (typeof value !== "object") return value;
    const entries = Object.entries(value).map(([key, inner]) => {
      const isField = !isOpen && FIELD.test(key);
      return [isField ? key : this.#standIn(key), this.value(inner, key, isOpen || OPEN.test(key))];
    });
    return Object.fromEntries(entries);
  }

  /** Returns the address of a request: the API's own host, and the part of the path from `/v2` on. */
  address(target: string): string {
    return this.#url(
      new URL(target.slice(target.indexOf("/v2/")), "https://api.example.com"),
      "api.example.com",
    );
  }

  /** Returns the addresses of a `Link` header, with nothing else of it than what they relate to. */
  link(header: string): string {
    const links = header.matchAll(/<([^<>]*)>\s*;\s*rel="?(next|prev|first|last)\b/g);
    return [...links].map(([, url = "", rel]) => `<${this.#text(url, "url")}>; rel="${rel}"`).join(", ");
  }

  #text(text: string, field: string): string {
    if (text === "" || TIME.test(text) || (LISTED.test(field) && WORDS.has(text))) return text;
    const words = text.split(/\s+/);
    if (words.every((word) => ADDRESS.test(word))) return words.map((word) => this.#standIn(word)).join(" ");
    const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
    return url === null ? this.#standIn(text) : this.#url(url);
  }

  #url(url: URL, host = `${this.#standIn(url.host)}.example.com`): string {
    const parts = url.pathname.split("/").map((part) => {
      const plain = decoded(part);
      return plain === "" || PATH_WORDS.has(plain) || PLAIN.test(plain) ? plain : this.#standIn(plain);
    });
    const query = [...url.searchParams].map(([name, value]): [string, string] => {
      const isName = /^[a-z_]{1,40}(?:\[\])?$/.test(name);
      return [isName ? name : this.#standIn(name), PLAIN.test(value) ? value : this.#text(value, name)];
    });
    const search = query.length === 0 ? "" : `?${new URLSearchParams(query)}`;
    return `https://${host}${parts.join("/")}${search}`;
  }

  #standIn(text: string): string {
    // A UUID is the same in capitals.
    const key = WHOLE_UUID.test(text) ? text.toLowerCase() : text;
    const known = this.#standIns.get(key);
    if (known !== undefined) return known;
    const made = this.#make(key, this.#standIns.size + 1);
    this.#standIns.set(key, made);
    return made;
  }

  #make(text: string, number: number): string {
    if (WHOLE_UUID.test(text)) return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    if (ADDRESS.test(text)) return `198.18.${(number >> 8) & 255}.${number & 255}`;
    if (EMAIL.test(text)) return `person-${number}@example.com`;
    const [, kind, id] =
      /^([A-Z][A-Za-z]{1,40})---(.+)$/.exec(Buffer.from(text, "base64").toString("utf8")) ?? [];
    if (kind !== undefined && id !== undefined && WHOLE_UUID.test(id))
      return Buffer.from(`${kind}---${this.#standIn(id)}`).toString("base64");
    return `text-${number}`;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
