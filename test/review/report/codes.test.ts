import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ENDING, isInterruption } from "../../../src/cli/pulumi/engine-messages.js";
import { findingsOf } from "../../../src/review/findings/findings.js";
import { reportOf } from "../../../src/review/findings/report.js";
import { markdown } from "../../../src/review/forms/markdown.js";
import { plainText } from "../../../src/review/plan/text.js";
import {
  documentDigest,
  type StepCode,
  withCode,
  withStepCode,
} from "../../../src/shared/protocol/message-codes.js";
import { resourceOf, step } from "../../support/recording.js";
import { failedWith, findingsFrom, formsOf, planFrom, recordedHere, reportFrom, staying } from "./reports.js";

interface Recorded {
  readonly diagnostics: readonly { readonly severity: string; readonly message: string }[];
}

/** A recorded preview with other messages. */
const saying = (recorded: Recorded, change: (line: string) => string) => ({
  ...recorded,
  diagnostics: recorded.diagnostics.map((one) => ({
    ...one,
    message: one.message.split("\n").map(change).join("\n"),
  })),
});

/** Words of ours before a code, other than those that the provider has today. */
const reworded = (line: string) =>
  line.replace(/^(warning: |error: )?.*( \[buildpipeline:\w+ \S+\])$/, "$1In other words.$2");
/** The same words without the code, which the message of another resource may quote. */
const quoted = (line: string) => line.replace(/^(.*)( \[buildpipeline:\w+ \S+\])$/, '$1$2" was refused.');

const SENTENCE = /^(warning: |error: )?(.*?)( \[buildpipeline:\w+ \S+\])?$/;

test("A name that the object itself has is no matter of aliases", () => {
  const queue = resourceOf("Queue", "small", "q-1", { clusterId: "c-1", key: "small" });
  const message = withCode("Queue.key: is taken by the queue q-1. Add deleteBeforeReplace.", "taken", "q-1");
  const saysAt = (urn: string) => {
    const diagnostics = [{ severity: "error", message, urn }];
    const report = reportFrom({ steps: [staying(queue)], diagnostics });
    return report.notices.flatMap((all) => all.items.flatMap((one) => [one.message, ...(one.details ?? [])]));
  };
  const words = (urn: string) => saysAt(urn).map(plainText).join(" ");
  expect(words(queue.urn)).toContain("Add deleteBeforeReplace.");
  expect(words(queue.urn)).not.toContain("aliases");
  expect(words(resourceOf("Queue", "other", "", {}).urn)).toContain("aliases");
});

describe("A report acts on the code of a message, and not on its words", () => {
  test("about a name that an object of the stack has", () => {
    const recorded: Recorded = recordedHere("renamed-queue");
    const failuresOf = (preview: unknown) => reportFrom(preview).notices.flatMap(({ items }) => items);
    const [first, ...others] = failuresOf(recorded);
    expect(first?.details?.map(plainText)).toEqual([
      expect.stringMatching(/^large: aliases: .*Queue::linux-large/),
    ]);
    expect(others).toEqual([]);
    expect(failuresOf(saying(recorded, reworded))).toEqual([first]);
    const [other, ...more] = failuresOf(saying(recorded, quoted));
    expect(more).toEqual([]);
    expect(other && plainText(other.message)).toContain("is taken by");
  });

  test.each(["renamed-complete", "options-exclude-complete"])(
    "about an object of the same name that the deployment deletes, in %s",
    (name) => {
      const recorded: Recorded = recordedHere(name);
      expect(JSON.stringify(recorded.diagnostics)).toContain("[buildpipeline:namesake ");
      const { warnings } = reportFrom(recorded);
      expect(reportFrom(saying(recorded, reworded)).warnings).toHaveLength(warnings.length);
      expect(reportFrom(saying(recorded, quoted)).warnings.length).toBeGreaterThan(warnings.length);
    },
  );

  const previews = globSync("recorded/**/*.json", { cwd: __dirname }).filter(
    (file) => !file.includes("export"),
  );

  test.each(previews)("and judges as before where every sentence is another, in %s", (file) => {
    const recorded: Partial<Recorded> = JSON.parse(readFileSync(join(__dirname, file), "utf8"));
    const { diagnostics = [] } = recorded;
    const others = new Map<string, string>();
    const reworded = (line: string) => {
      const [, start = "", sentence = "", code = ""] = SENTENCE.exec(line) ?? [];
      others.set(sentence, others.get(sentence) ?? `Other sentence ${others.size}.`);
      return sentence === "" ? line : start + others.get(sentence) + code;
    };
    const judged = ({ diagnostics }: Recorded) => {
      const plan = planFrom({ ...recorded, diagnostics });
      const findings = findingsOf(plan);
      const { errors, warnings, notices, lists, ...report } = reportOf(findings, { at: new Date(0) });
      const counts = [errors.length, warnings.length, notices.length, lists.length];
      const { diagnostics: _, ...assessed } = plan;
      // Without functions, because each change has its own.
      return JSON.parse(JSON.stringify([report, assessed, counts, findings.consequences]));
    };
    // Pulumi's own messages have no code, and are recognized by how they begin.
    const ours = diagnostics.filter((one) => !isInterruption(one) && !ENDING.test(one.message.trim()));
    expect(judged(saying({ diagnostics: ours }, reworded))).toEqual(judged({ diagnostics: ours }));
  });

  test("and doesn't doubt what it says of a change because its steps have a remark", () => {
    const uncheckedWith = (message: string) => {
      const urn = "urn:pulumi:dev::ci::pulumi-nodejs:dynamic/buildpipeline:Pipeline::shop";
      const diagnostics = [{ urn, severity: "warning", message }];
      return reportFrom({ steps: [], changeSummary: {}, diagnostics }).notes.map(plainText).join();
    };
    const remark = 'Pipeline.configuration: line 3, steps[0].agents.queue: "smal" is no queue.';
    const doubt = "what the warning about pipeline shop says";
    expect(uncheckedWith(remark)).toContain(doubt);
    const coded = withStepCode(remark, { document: documentDigest(""), isRejected: true, kind: "Queue" });
    expect(uncheckedWith(coded)).not.toContain(doubt);
  });

  const TEXT = "agents: { queue: smal }\nsteps: [{ command: a, lable: b }, { trigger: dploy }]\n";
  const clusterId = "c-linux";
  const shop = resourceOf("Pipeline", "shop", undefined, { name: "Shop", configuration: TEXT, clusterId });
  const remark = (words: string, code: Partial<StepCode>) => ({
    severity: "info#err",
    message: `warning: ${withStepCode(`Pipeline "Shop": Pipeline.configuration: ${words}`, {
      document: documentDigest(TEXT),
      isRejected: true,
      ...code,
    })}`,
  });

  test("and lists remarks on steps at their change, where a missing queue is as dangerous as one that goes", () => {
    const queue = remark('line 1, agents.queue: "smal" is no queue. Did you mean "small"?', {
      kind: "Queue",
      name: "smal",
    });
    const form = remark("line 2, steps[0].lable: is no property of a command step.", {});
    const trigger = remark('line 2, steps[1].trigger: "dploy" is the slug of no pipeline.', {
      kind: "Pipeline",
      name: "dploy",
    });
    const linux = resourceOf("Cluster", "linux", clusterId, { name: "Linux" });
    const steps = [staying(linux), step("create", undefined, shop)];
    const report = reportFrom({ steps, changeSummary: {}, diagnostics: [queue, form, trigger] });
    expect(
      report.consequences.map((one) => [one.level, ...[one.message, ...one.details].map(plainText)]),
    ).toEqual([
      [
        "danger",
        "Pipeline Shop names the queue smal in its steps, which cluster Linux lacks: its jobs would wait for ever.",
        'line 1, agents.queue: "smal" is no queue. Did you mean "small"?',
      ],
      [
        "danger",
        "Pipeline Shop names the pipeline dploy in its steps, which the organization lacks: Buildkite would reject its steps.",
        'line 2, steps[1].trigger: "dploy" is the slug of no pipeline.',
      ],
      [
        "caution",
        "Pipeline Shop of Linux has steps that Buildkite rejects.",
        "line 2, steps[0].lable: is no property of a command step.",
      ],
    ]);
    expect(report.warnings).toEqual([]);
    expect(report.verdict).toMatchObject({ level: "danger", dangerous: 2, noticeable: 1, others: 0 });
    expect(report.consequences.flatMap(({ of }) => of)).toEqual([shop.urn, shop.urn, shop.urn]);
  });

  test("and keeps a remark in the list of warnings whose change isn't there", () => {
    const diagnostics = [remark("steps[0]: is a step of no type.", { document: "another" })];
    const report = reportFrom({ steps: [step("create", undefined, shop)], changeSummary: {}, diagnostics });
    const message = 'Pipeline "Shop": Pipeline.configuration: steps[0]: is a step of no type.';
    expect(report.warnings).toEqual([{ message, code: "steps-undocumented" }]);
    expect(report.consequences.map(({ level }) => level)).not.toContain("danger");
  });

  test("and shows no code", () => {
    const message = withCode("Queue.key: is taken by the queue q-1.", "taken", "q-1");
    const report = reportFrom(failedWith(message));
    expect(report.errors).toEqual([{ message: "Queue.key: is taken by the queue q-1.", code: "taken" }]);
    expect(markdown(report, 65_536)).not.toContain("buildpipeline:taken");
  });

  test("and says once which resource a message of the plugin is about, as the dynamic provider does", () => {
    const urnOf = (kind: string, name: string) => `urn:pulumi:dev::ci::buildpipeline:index:${kind}::${name}`;
    const problem = 'Cluster.color: "} has a problem: " is no color.';
    const around =
      "error: buildpipeline:index:Cluster resource 'linux': property color value {x} has a problem: ";
    const report = reportFrom({
      steps: [],
      diagnostics: [
        { urn: urnOf("Cluster", "linux"), severity: "error", message: around + problem },
        { urn: urnOf("Pipeline", "shop"), severity: "warning", message: "warning: Pipeline.env: stays." },
      ],
    });
    expect(report.errors).toEqual([{ message: `"linux": ${problem}` }]);
    expect(report.warnings).toEqual([{ message: 'pipeline "shop": Pipeline.env: stays.' }]);
  });

  test("and names an object of the stack that a message has the id of", () => {
    const shown = { ...shop, id: "id-shop" };
    const diagnostics = [{ severity: "error", message: "error: The pipeline id-shop stays." }];
    const report = reportFrom({ steps: [{ ...staying(shown) }], diagnostics });
    expect(report.errors).toEqual([{ message: "The pipeline Shop stays." }]);
  });

  test("and lists the code of each message beside it for programs", () => {
    const warning = `warning: ${withCode("Pipeline.env: is no longer named, and keeps its value.", "argument-unmanaged")}`;
    const diagnostics = [
      { severity: "error", message: withCode("Queue.key: is taken by the queue q-1.", "taken", "q-1") },
      { severity: "error", message: "error: preview failed" },
      { severity: "info#err", message: warning },
    ];
    const { JSON: text } = formsOf(findingsFrom({ steps: [], diagnostics }));
    expect(JSON.parse(text)).toMatchObject({
      errors: ["Queue.key: is taken by the queue q-1.", "preview failed"],
      warnings: ["Pipeline.env: is no longer named, and keeps its value."],
      messages: [
        { severity: "error", message: "Queue.key: is taken by the queue q-1.", code: "taken" },
        { severity: "error", message: "preview failed", code: null },
        {
          severity: "warning",
          message: "Pipeline.env: is no longer named, and keeps its value.",
          code: "argument-unmanaged",
        },
      ],
    });
  });
});

const INTERRUPTION =
  "Attempting to deploy or update resources\nwith 1 pending operations from previous deployment.\n";
const QUOTED = 'The queue "with 1 pending operations from previous deployment" was refused.';

test.each([
  ["Pulumi's warning", "warning", INTERRUPTION, true],
  ["a warning that quotes it", "warning", QUOTED, false],
  ["an error that quotes it", "error", QUOTED, false],
  ["an error that begins with it", "error", INTERRUPTION, false],
])(
  "%s says whether the last deployment was interrupted, and no other message is left out",
  (_, severity, message, is) => {
    const plan = planFrom({ steps: [], changeSummary: {}, diagnostics: [{ severity, message }] });
    expect(plan.interrupted !== undefined).toBe(is);
    const { errors, warnings } = reportOf(findingsOf(plan));
    expect([...errors, ...warnings]).toEqual(is ? [] : [{ message: message.trim() }]);
  },
);
