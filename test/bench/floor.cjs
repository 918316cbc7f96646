// A provider that does nothing. What a new resource has beside its arguments is in a file.
"use strict";
const { randomUUID } = require("node:crypto");
const { readFileSync } = require("node:fs");

/** @param {string} file */
module.exports = (file) => ({
  check: async (/** @type {unknown} */ _, /** @type {unknown} */ inputs) => ({ inputs }),
  diff: async () => ({ changes: false }),
  create: async (/** @type {object} */ inputs) => ({
    id: randomUUID(),
    outs: { ...inputs, ...JSON.parse(readFileSync(file, "utf8")) },
  }),
  read: async (/** @type {string} */ id, /** @type {unknown} */ props) => ({ id, props }),
  update: async (/** @type {string} */ _, /** @type {unknown} */ _olds, /** @type {unknown} */ outs) => ({
    outs,
  }),
  delete: async () => {},
});
