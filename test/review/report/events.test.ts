import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readEventLog, readPreview } from "../../../src/cli/pulumi/preview.js";
import { planOf } from "../../../src/review/plan/plan.js";
import { buildpipeline, printed } from "../../support/command.js";
import { recorded } from "../../support/recording.js";
import { linesOf, reportOfPlan, scratchOfEach, violation } from "./reports.js";

interface ReportJson {
  drift: boolean;
  counts: Record<string, number>;
  errors: string[];
  warnings: string[];
  dangers: { level: string; message: string }[];
  changes: {
    urn: string;
    cluster?: string;
    properties: { name: string; before: string; after: string; unknown: boolean }[];
  }[];
}

const events = (name: string) => join(__dirname, "..", "..", "support", "recorded", `${name}.jsonl`);

const scratch = scratchOfEach();

const report = (file: string, ...args: readonly string[]) => printed(["report", file, ...args]);

const asJson = async (file: string): Promise<ReportJson> => JSON.parse(await report(file, "--json"));

describe("buildpipeline report, of the engine's event log", () => {
  test("says what it says of the preview's JSON, but which cluster that is yet to be made something is in", async () => {
    const [logged, previewed] = [await asJson(events("preview-events")), await asJson(recorded("preview"))];
    // An event log has no dependencies: it does not name the object that an unknown id will be of.
    const byUrn = ({ changes }: ReportJson) =>
      Object.fromEntries(
        changes.map(({ cluster: _, properties, ...change }) => [
          change.urn,
          {
            ...change,
            properties: properties.map((one) =>
              one.unknown && one.name.endsWith("Id") ? { ...one, after: "" } : one,
            ),
          },
        ]),
      );
    expect(byUrn(logged)).toEqual(byUrn(previewed));
    expect(logged.counts).toEqual(previewed.counts);
    expect(logged.drift).toBe(false);
    expect(logged.dangers.map(({ level }) => level)).toEqual(previewed.dangers.map(({ level }) => level));
    const clusters = new Set(logged.changes.map(({ cluster }) => cluster));
    expect(clusters).toContain("Linux");
    expect(clusters).toContain("(known after deployment)");
  });

  test("takes a severity of any text, and leaves it out of a message that begins with it", () => {
    for (const severity of ["error", "(", "a|b", "$&"]) {
      const diagnostics = [{ severity, message: `${severity}: it failed` }];
      const [first] = readPreview({ steps: [], diagnostics }).diagnostics;
      expect(first).toMatchObject({ severity, message: "it failed" });
    }
  });

  test("keeps secrets out, also with the engine's option to show them", async () => {
    const text = readFileSync(events("preview-events"), "utf8");
    expect(await report(events("preview-events"))).not.toMatch(/__provider|exports\.handler/);
    const shown = scratch.path("shown.jsonl");
    writeFileSync(shown, text.replaceAll(`"ciphertext":"[secret]"`, `"plaintext":"\\"s3cret-value\\""`));
    expect(readFileSync(shown, "utf8")).toContain("s3cret-value");
    const withheld = await report(shown);
    expect(withheld).not.toContain("s3cret-value");
    expect(withheld).toContain("values are left out");
  });

  test("has the policy violations of the preview", async () => {
    const lines = [
      violation("token-age", "mandatory", "The rule.\nWhat breaks token-age."),
      violation("description", "advisory", "The rule.\nWhat breaks description."),
    ];
    const log = scratch.path("policies.jsonl");
    const text = readFileSync(events("preview-events"), "utf8");
    writeFileSync(log, text + lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect((await asJson(log)).dangers).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          level: "danger",
          effect: "stops",
          message: "token-age is broken by agents: What breaks token-age.",
        }),
        expect.objectContaining({
          level: "caution",
          message: "description is broken by agents: What breaks description.",
        }),
      ]),
    );
  });

  test("passes no gate if it was cut off, and says so first", async () => {
    const cut = scratch.path("cut.jsonl");
    const lines = readFileSync(events("drift-events"), "utf8").split("\n");
    writeFileSync(cut, lines.slice(0, 20).join("\n"));
    const gates = [["--exit-code"], ["--fail-on", "left-out"], ["--exit-code", "--fail-on", "left-out"]];
    const ended = await Promise.all(gates.map((gate) => buildpipeline(["report", cut, ...gate])));
    expect(ended.map(({ code }) => code)).toEqual([1, 2, 2]);
    expect(ended[0]?.stdout.split("\n").slice(1, 8)).toEqual([
      "## 🔴 The preview failed",
      "",
      expect.stringContaining("<code>ci/production</code>"),
      "",
      "> [!CAUTION]",
      "> **The preview failed, so this is not all that would change**",
      expect.stringContaining("Its output ends before the preview did"),
    ]);
  });

  test("two logs in one file are an error, because the first one may be cut off and the other of another stack", async () => {
    const [first, second] = ["drift-events", "preview-events"].map((name) =>
      readFileSync(events(name), "utf8"),
    );
    const both = scratch.path("both.jsonl");
    for (const cut of [40, 500_000]) {
      writeFileSync(both, `${first?.split("\n").slice(0, cut).join("\n")}\n${second}`);
      const { code, stdout, stderr } = await buildpipeline(["report", both]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(
        "both.jsonl has the event logs of two runs. Write each of them to a file of its own.",
      );
    }
  });

  test("ends with exit code 2 for lines that are something else", async () => {
    const other = scratch.path("other.jsonl");
    writeFileSync(other, `{"level":"info"}\n{"level":"info"}\n`);
    const { code, stdout, stderr } = await buildpipeline(["report", other]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("is neither a preview's JSON nor an event log of the engine");
  });
});

describe.each([
  ["its JSON", recorded("refresh-drift")],
  ["the event log", events("drift-events")],
])("buildpipeline report, of a refresh, from %s", (_, file) => {
  test("tells what was changed by hand, and what was lost with what is gone", async () => {
    const { drift, dangers, counts, changes } = await asJson(file);
    expect(drift).toBe(true);
    expect(dangers).toEqual([
      expect.objectContaining({
        level: "danger",
        effect: "lost",
        message: expect.stringMatching(
          /^Cluster Old machines was deleted outside of the program, with queue one, .*agent token Old agents\. Its agents can't/,
        ),
      }),
    ]);
    // A cluster that was deleted takes three queues and a token along.
    expect(counts).toEqual({ update: 1, delete: 5 });
    const changed = changes.find(({ urn }) => urn.endsWith("::linux"));
    expect(changed?.properties).toEqual([
      expect.objectContaining({ name: "description", before: "Builds", after: "By hand" }),
    ]);
    const text = await report(file);
    expect(text).toMatch(
      /^## 🔴 Drift: Cluster <code>Old machines<\/code> was deleted outside of the program/m,
    );
    expect(text).toContain("1 changed · ");
    expect(text).toContain("These are out-of-band changes.");
    expect(text).toContain("**− gone**");
    expect(text).not.toContain("to delete");
    expect(await report(file, "--html")).toContain(">Drift: Cluster <code>Old machines</code>");
  });
});

test("A report of a preview with a refresh before it tells what is planned, from what the service has", () => {
  const lines = (name: string) => linesOf(events(name));
  const refresh = lines("drift-events").filter(
    (line) => "resourcePreEvent" in line || "resOutputsEvent" in line,
  );
  const previewed = reportOfPlan(planOf(readEventLog(lines("preview-events"))));
  const all = [...refresh, ...lines("preview-events")].map((line, sequence) => ({ ...line, sequence }));
  const both = reportOfPlan(planOf(readEventLog(all)));
  expect(both.drift).toBe(false);
  expect(both.summary).toEqual(previewed.summary);
});
