import { repository, stateOf } from "./repository.js";

/** A resource as it is in the state and as a refresh finds it: its inputs, and other outputs. */
export interface Found {
  readonly kind: string;
  readonly id: string;
  readonly inputs: object;
  /** Those of now are absent if the object is gone. */
  readonly outputs: readonly [old: object, now?: object];
  /** Arguments with other values than the program states. If there are none, the engine calls it the same. */
  readonly differs?: object;
}

/** Plays a refresh. */
export function refreshes(found: readonly Found[], stderr = ""): void {
  const steps = found.map(({ kind, id, inputs, outputs, differs }, index) => {
    const type = `buildpipeline:index:${kind}`;
    const urn = `urn:pulumi:production::acme-queues::${type}::r${index}`;
    const [old, now] = outputs.map((own, index) => {
      const all = { ...inputs, ...(index > 0 && differs) };
      return { urn, type, custom: true, id, inputs: all, outputs: { ...all, ...own } };
    });
    const op = now === undefined ? "delete" : differs === undefined ? "same" : "update";
    return { op, urn, old, new: now, diffs: differs && Object.keys(differs) };
  });
  const urn = "urn:pulumi:production::acme-queues::pulumi:pulumi:Stack::acme-queues-production";
  const own = { urn, type: "pulumi:pulumi:Stack" };
  const stack = { op: "same", urn, old: own, new: own };
  const counts = Object.fromEntries(
    [...Map.groupBy(steps, ({ op }) => op)].map(([op, own]) => [op, own.length]),
  );
  const events = [
    ...[stack, ...steps].flatMap((metadata) => [
      { resourcePreEvent: { metadata: { op: "refresh", urn: metadata.urn, old: metadata.old } } },
      { resOutputsEvent: { metadata } },
    ]),
    { summaryEvent: { isPreview: true, resourceChanges: counts } },
    { cancelEvent: {} },
  ];
  const stdout = events.map((event, sequence) => JSON.stringify({ sequence, ...event })).join("\n");
  const state = stateOf(
    "2027-01-01T00:00:00Z",
    steps.flatMap(({ old }) => old ?? []),
  );
  const code = steps.every(({ op }) => op === "same") ? 0 : 7;
  repository.plays({ "stack export": { stdout: state }, "queues refresh": { code, stdout, stderr } });
}
