// A program that declares as many resources as the environment says, by the provider that it names.
"use strict";
const { readFileSync } = require("node:fs");
const { floors, groups, made } = require("./resources.cjs");

const { BENCH_KEPT = "", BENCH_LATENCY_MS, BENCH_PROVIDER = "", BENCH_RESOURCES } = process.env;
/** @type {Record<string, import("./resources.cjs").Make | undefined>} */
const makers = {
  package: made,
  ...floors(new Map(JSON.parse(readFileSync(BENCH_KEPT, "utf8"))), Number(BENCH_LATENCY_MS)),
};
groups(Number(BENCH_RESOURCES), makers[BENCH_PROVIDER] ?? made);
