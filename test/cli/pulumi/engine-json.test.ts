import { expect, test } from "vitest";
import { errorsIn, readEventLog, readPreview } from "../../../src/cli/pulumi/preview.js";
import { readStackState } from "../../../src/cli/pulumi/stack-export.js";
import { Masking } from "../../../src/review/plan/names.js";
import { secret, secretInFile } from "../../../src/shared/protocol/encoded-values.js";
import { specials } from "../../support/foreign-text.js";

const type = "buildpipeline:index:AgentToken";
const urn = `urn:pulumi:production::ci::${type}::farm`;
const PROVIDER = "urn:pulumi:production::ci::pulumi:providers:buildpipeline::default_0_1_0::1";

const resource = (inputs: object, outputs: object) => ({ urn, type, id: "1", delete: true, inputs, outputs });
const previewOf = (state: object) => readPreview({ steps: [{ op: "delete", urn, oldState: state }] });
const loggedOf = (old: object) =>
  readEventLog([{ sequence: 1, resourcePreEvent: { metadata: { op: "delete", urn, old } } }]);

test.each<[form: string, read: (state: object) => object | null | undefined]>([
  ["a stack export", (state) => readStackState({ deployment: { resources: [state] } }).resources[0]],
  ["a preview's JSON", (state) => previewOf(state).planned[0]?.oldState],
  ["an event log", (state) => loggedOf(state).planned[0]?.oldState],
])("A resource is the same one in %s: its inputs win over its outputs", (_, read) => {
  const state = resource({ description: "new" }, { description: "old", createdAt: "today" });
  expect(read({ ...state, propertyDependencies: { description: null } })).toMatchObject({
    kind: "AgentToken",
    id: "1",
    pendingDeletion: true,
    properties: { description: "new", createdAt: "today" },
    propertyDependencies: { description: [] },
  });
});

test("An interrupted operation has what `recover --json` prints, and none of the outputs", () => {
  const { id: _, ...state } = resource({ description: "Farm" }, { token: "plain" });
  const pending = { type: "creating", resource: { ...state, provider: PROVIDER } };
  expect(readStackState({ deployment: { pending_operations: [pending] } }).interrupted).toEqual([
    { operation: "creating", urn, type, kind: "AgentToken", provider: PROVIDER, inputs: state.inputs },
  ]);
});

/** What a report makes of a secret, of a text with it, and of another value. */
function reported(secretValue: unknown) {
  const masking = new Masking(previewOf(resource({ triggers: secretValue, __secrets: ["triggers"] }, {})));
  const [value, other] = [masking.value(secretValue), masking.value("#101010")];
  return { value, other, text: masking.text("of hunter2, abc or 4711, but not abcd") };
}

test.each<[form: string, secretValue: unknown]>([
  ["masked", "[secret]"],
  ["masked in part", { inner: ["10.20.0.0/16", "[secret]"] }],
  ["encrypted", { ...Object(secret(undefined)), ciphertext: "AAAA" }],
])("A secret that is %s is known as one, and everything else is shown", (_, secretValue) => {
  const text = "of hunter2, abc or 4711, but not abcd";
  expect(reported(secretValue)).toEqual({ value: "secret", other: { code: "#101010" }, text });
});

test.each<[form: string, secretValue: unknown, text: string]>([
  ["in an event log", secretInFile("hunter2"), "of [secret], abc or 4711, but not abcd"],
  ["as a text of three letters", "abc", "of hunter2, [secret] or 4711, but not abcd"],
  ["as a list", ["10.20.0.0/16", "hunter2"], "of [secret], abc or 4711, but not abcd"],
  ["as an object", { inner: { word: "hunter2" } }, "of [secret], abc or 4711, but not abcd"],
  ["as a number", 4711, "of hunter2, abc or [secret], but not abcd"],
  ["as a flag", true, "of hunter2, abc or 4711, but not abcd"],
])(
  "A secret that is shown %s is hidden wherever it occurs, and all values are withheld",
  (_, shown, text) => {
    expect(reported(shown)).toEqual({
      value: expect.stringMatching(/^(?:secret|withheld)$/),
      other: "withheld",
      text,
    });
  },
);

test("A failed preview's errors are read without colors, and its other messages are left out", () => {
  const diagnostics = [
    { severity: "error", message: "<{%reset%}>Queue.key: is missing.<{%reset%}>\n" },
    { severity: "warning", message: "A deprecated option." },
    { severity: "info#err", message: "warning: from the provider's process" },
  ];
  expect(errorsIn(JSON.stringify({ diagnostics }))).toEqual(["Queue.key: is missing."]);
  for (const printed of ["", "error: no stack selected", "{}"]) expect(errorsIn(printed)).toEqual([]);
});

const TRUE_COLORS = ["<{%fg 1%}>", "<{%reset%}>", "\u001b[31m"];

test("Only colors of Pulumi and of terminals are taken out of a message: a name that looks like one stays", () => {
  const colors = "<{%reset%}><{%fg 13%}><{%bg 1%}><{%bold%}><{%underline%}>\u001b[38;5;1m\u001b[0m";
  for (const sign of specials.filter((one) => !TRUE_COLORS.includes(one))) {
    const message = `${colors}error: the cluster "<{%x%}> ${sign}." exists.${colors}\n`;
    const printed = JSON.stringify({ diagnostics: [{ severity: "error", message }] });
    expect(errorsIn(printed)).toEqual([`the cluster "<{%x%}> ${sign}." exists.`]);
  }
});

test("An id in capitals in a state or a preview refers to the same object", () => {
  const id = "11111111-2222-4333-8444-aaaaaaaaaaaa";
  const inputs = { clusterId: id.toUpperCase(), queueId: id.toUpperCase(), description: id.toUpperCase() };
  const type = "buildpipeline:index:ClusterDefaultQueue";
  const own = { urn, type, id: id.toUpperCase(), inputs, outputs: inputs };
  const expected = { id, inputs: { ...inputs, clusterId: id, queueId: id }, properties: { clusterId: id } };
  expect(readStackState({ deployment: { resources: [own] } }).resources).toMatchObject([expected]);
  const { planned } = readPreview({ steps: [{ op: "delete", urn, oldState: own }] });
  expect(planned).toMatchObject([{ oldState: expected }]);
});
