import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ModelEngine } from "../model-engine.js";
import { parallelScenarios, transcriptScenarios } from "./scenarios.js";
import { type Call, normalized, scriptedBackend } from "./scripted-backend.js";

/** Written by `npm run generate -- transcripts`: for each scenario and command, whether it succeeded, and its calls. */
const recorded: Readonly<Record<string, readonly { succeeded: boolean; calls: readonly Call[] }[]>> =
  JSON.parse(readFileSync(join(__dirname, "recorded.json"), "utf8"));

test.each(Object.entries(transcriptScenarios))(
  "the model engine calls a provider as Pulumi's engine does: %s",
  async (title, steps) => {
    const parallel = parallelScenarios.has(title);
    const calls: Call[] = [];
    const engine = new ModelEngine(() => scriptedBackend(calls));
    const played: unknown[] = [];
    for (const { command, program, flags } of steps) {
      const { succeeded } =
        command === "up" || command === "preview"
          ? await engine[command](program, flags)
          : await engine[command](flags);
      played.push({ succeeded, calls: normalized(parallel, command, calls.splice(0)) });
    }
    const recordings = recorded[title]?.map(({ succeeded, calls }, index) => ({
      succeeded,
      calls: normalized(parallel, steps[index]?.command ?? "", calls),
    }));
    expect(played).toEqual(recordings);
  },
);
