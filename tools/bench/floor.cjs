// A provider that does nothing but wait as long as the service takes to answer. What a new resource has beside its
// arguments is in a file.
"use strict";
const { randomUUID } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { setTimeout } = require("node:timers/promises");

/** @param {string} file @param {number} latencyMs */
module.exports = (file, latencyMs) => ({
  check: async (/** @type {unknown} */ _, /** @type {unknown} */ inputs) => ({ inputs }),
  diff: async () => ({ changes: false }),
  create: async (/** @type {object} */ inputs) => {
    await setTimeout(latencyMs);
    return { id: randomUUID(), outs: { ...inputs, ...JSON.parse(readFileSync(file, "utf8")) } };
  },
  read: async (/** @type {string} */ id, /** @type {unknown} */ props) => {
    await setTimeout(latencyMs);
    return { id, props };
  },
  update: async (/** @type {string} */ _, /** @type {unknown} */ _olds, /** @type {unknown} */ outs) => ({
    outs,
  }),
  delete: () => setTimeout(latencyMs),
});
