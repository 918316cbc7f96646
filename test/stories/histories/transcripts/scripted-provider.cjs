// A provider that does what its arguments say, and reports every call. The real engine and the model both call it.
const { appendFileSync } = require("node:fs");

// What constructors send along.
const INTERNAL = new Set(["__provider", "__secrets", "deletesBeforeReplace"]);

/** @typedef {Record<string, unknown>} Properties */

/** @param {Properties | undefined} properties */
const clean = (properties) =>
  Object.fromEntries(
    Object.entries(properties ?? {}).filter(([name, value]) => !INTERNAL.has(name) && value !== null),
  );

/** @param {Properties} properties @param {string} call */
const failIf = (properties, call) => {
  if (properties.fails === call) throw new Error(`${call} fails`);
};

/** @param {(...call: unknown[]) => void} report receives each call with its arguments */
exports.scripted = (report) => ({
  /** @param {Properties} olds @param {Properties} news */
  check(olds, news) {
    report("check", clean(olds), clean(news));
    if (news.fails === "check") return { failures: [{ property: "", reason: "check fails" }] };
    return { inputs: news };
  },
  /** @param {string} id @param {Properties} outs @param {Properties} news */
  diff(id, outs, news) {
    report("diff", id, clean(outs), clean(news));
    failIf(news, "diff");
    const replaces = ["key", "of"].filter((name) => outs[name] !== news[name]);
    const changed = replaces.length > 0 || outs.value !== news.value || outs.fails !== news.fails;
    return changed ? { replaces, deleteBeforeReplace: news.first === true } : { changes: false };
  },
  /** @param {Properties} inputs */
  create(inputs) {
    report("create", clean(inputs));
    failIf(inputs, "create");
    const id = `id-${inputs.key}`;
    if (inputs.fails !== "initialization") return { id, outs: inputs };
    throw Object.assign(new Error("not finished"), { id, properties: inputs, reasons: ["not finished"] });
  },
  /** @param {string} id @param {Properties} properties */
  read(id, properties) {
    report("read", id, clean(properties));
    failIf(properties, "read");
    if (properties.value === "deleted") return { id: "", props: {} };
    const props = properties.value === "drifts" ? { ...properties, value: "drifted" } : properties;
    return { id, props, inputs: props };
  },
  /** @param {string} id @param {Properties} olds @param {Properties} news */
  update(id, olds, news) {
    report("update", id, clean(olds), clean(news));
    failIf(news, "update");
    return { outs: news };
  },
  /** @param {string} id @param {Properties} outs */
  delete(id, outs) {
    report("delete", id, clean(outs));
    failIf(outs, "delete");
  },
});

/** The provider of the real engine: calls go into a file, a line each. */
exports.handler = () => {
  const provider = exports.scripted((/** @type {unknown[]} */ ...call) =>
    appendFileSync(process.env.TRANSCRIPT ?? "", `${JSON.stringify(call)}\n`),
  );
  return Object.fromEntries(
    Object.entries(provider).map(([name, work]) => {
      /** @param {any[]} given */
      const method = async (...given) => Reflect.apply(work, undefined, given);
      return [name, method];
    }),
  );
};
