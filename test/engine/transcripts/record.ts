import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { afterAll, test } from "vitest";
import { type TranscriptStep, transcriptScenarios } from "../../stories/histories/transcripts/scenarios.js";
import type { Call } from "../../stories/histories/transcripts/scripted-backend.js";
import { RealEngine } from "../histories/real-engine.js";
import { TestStack } from "../stack.js";

/**
 * Records how Pulumi's engine calls a provider, for the test of the model engine: `npm run generate -- transcripts`. With
 * `-t <title>` it records one scenario anew and keeps the others.
 */
const FOLDER = join(__dirname, "..", "..", "stories", "histories", "transcripts");
const FILE = join(FOLDER, "recorded.json");
const TYPE = "pulumi-nodejs:dynamic/scripted:Thing";

const stack = TestStack.forEach();
const recorded: Record<string, unknown> = existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : {};

class Thing extends pulumi.CustomResource {
  constructor(name: string, props: pulumi.Inputs, options: pulumi.CustomResourceOptions) {
    const __provider = "exports.handler=()=>require(process.env.SCRIPTED_PROVIDER).handler()";
    super(TYPE, name, { value: undefined, ...props, __provider }, options);
  }
}

async function run({ command, program, flags }: TranscriptStep, engine: RealEngine): Promise<unknown> {
  const transcript = join(stack.directory, "transcript.jsonl");
  rmSync(transcript, { force: true });
  engine.environment = { TRANSCRIPT: transcript, SCRIPTED_PROVIDER: join(FOLDER, "scripted-provider.cjs") };
  const { succeeded } =
    command === "up" || command === "preview"
      ? await engine[command](program, flags)
      : await engine[command](flags);
  const lines = existsSync(transcript) ? readFileSync(transcript, "utf8").trim().split("\n") : [];
  const calls = lines.filter((line) => line !== "").map((line): Call => JSON.parse(line));
  return { succeeded, calls };
}

test.each(Object.entries(transcriptScenarios))("%s", async (title, steps) => {
  const results: unknown[] = [];
  const engine = new RealEngine(stack, { Thing }, () => TYPE);
  for (const step of steps) results.push(await run(step, engine));
  recorded[title] = results;
  write();
});

afterAll(write);

/** A line for each call: compact, and a change is easy to read. */
function write(): void {
  const scenarios = Object.keys(transcriptScenarios)
    .filter((title) => recorded[title] !== undefined)
    .map((title) => `${JSON.stringify(title)}: ${JSON.stringify(recorded[title])}`);
  writeFileSync(FILE, `{\n${scenarios.join(",\n")}\n}\n`);
}
