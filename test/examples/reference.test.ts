import { globSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { beforeAll, describe, expect, test } from "vitest";
import * as clientSide from "../../src/client/index.js";
import { renderOpenApi } from "../../src/emulator/openapi.js";
import * as programSide from "../../src/index.js";
import { clientParts } from "../../tools/generate/client-pages.js";
import { commandParts } from "../../tools/generate/commands-page.js";
import { agreement, conformancePage } from "../../tools/generate/conformance-page.js";
import { withParts } from "../../tools/generate/markdown.js";
import { messageParts, readMessages } from "../../tools/generate/messages.js";
import { programParts } from "../../tools/generate/program-pages.js";
import { indexParts, pageOf, resourcePages } from "../../tools/generate/resource-pages.js";
import { schemaOf } from "../../tools/generate/schema.js";
import { llmsText } from "../../tools/site/pages.mjs";
import { readEvidence } from "../conformance/recorded/evidence.mjs";
import { CHECKOUT, read, readJson } from "../support/checkout.js";
import { optionsOf, problemsOf } from "./compiler.js";
import { described, quickstart } from "./described.js";
import { fencedBlocks } from "./documents.js";

const manifest = readJson("package.json");
const outside = {
  recorded: readEvidence(),
  clients: readJson("test", "conformance", "clients", "operations.json"),
  official: [],
};

async function commands(): Promise<Command[]> {
  const files = globSync("src/{commands,review}/*/command.ts", { cwd: CHECKOUT });
  const modules = await Promise.all(files.map((file) => import(join(CHECKOUT, file))));
  const made = modules.flatMap((module: object) =>
    Object.entries(module)
      .filter(([name]) => name.endsWith("Command"))
      .map(([, make]): unknown => make()),
  );
  return made
    .filter((command) => command instanceof Command)
    .sort((one, other) => one.name().localeCompare(other.name()));
}

/** Files that are made from the code, as a whole or in parts, and what they should have in them. */
async function make(): Promise<Map<string, string>> {
  const parts = {
    ...programParts(described, clientSide.operations, quickstart),
    ...clientParts(described, clientSide.operations, messageParts(CHECKOUT)),
    commands: commandParts(await commands()),
  };
  const written = Object.entries(parts).map(([name, generated]): [string, string] => {
    const path = `docs/reference/${name}.md`;
    return [path, withParts(read(path), generated)];
  });
  const index = withParts(read("docs/README.md"), indexParts(described));
  return new Map([
    ["plugin/schema.json", `${JSON.stringify(schemaOf(described, manifest, quickstart), undefined, 2)}\n`],
    ...Object.entries(resourcePages(described, quickstart)).map(([name, text]): [string, string] => [
      `docs/reference/${name}.md`,
      text,
    ]),
    [
      "docs/reference/conformance.md",
      conformancePage(clientSide.operations, outside, JSON.parse(renderOpenApi("https://api.example.com"))),
    ],
    ["docs/README.md", index],
    ["llms.txt", llmsText(index, (file) => file)],
    ...written,
  ]);
}

/** Pages of the reference that no code generates. */
const HANDWRITTEN = ["emulator.md", "pulumi-options.md", "report.md"];

let made: ReadonlyMap<string, string>;
beforeAll(async () => {
  made = await make();
});

describe("The schema, as the registry shows it", () => {
  const schema = readJson("plugin", "schema.json");
  const entries = Object.entries<{ description: string; isComponent?: boolean }>(schema.resources);

  test("names no address that somebody else may own, as long as the owner is a placeholder", () => {
    const { importBasePath: _, ...go } = schema.language.go;
    const addresses = { ...schema, resources: {}, functions: {}, language: { ...schema.language, go } };
    expect(JSON.stringify(addresses).match(/.{40}your-organization/g) ?? []).toEqual([]);
  });

  test.each(entries)(
    "%s has an example in each language, and how it is imported",
    (token, { description, isComponent = false }) => {
      const languages = fencedBlocks(description).map(({ language }) => language);
      expect(languages.slice(0, 4)).toEqual(["typescript", "python", "go", "yaml"]);
      // Its tokens are imported.
      if (isComponent) return;
      expect(description).toMatch(
        new RegExp(`## Import\\n[\\s\\S]*pulumi import ${token} [\\w-]+ '[^<>]+'\n`),
      );
    },
  );
});

describe("What is made from the code", () => {
  const files = ["plugin/schema.json", "docs/README.md", "llms.txt"].concat(
    [
      "resources",
      ...[...described.resources, ...described.components].map(pageOf),
      "functions",
      "settings",
      "client",
      "errors",
      "commands",
      "conformance",
    ].map((name) => `docs/reference/${name}.md`),
  );

  test.each(files)("%s says what the code says", async (file) => {
    await expect(made.get(file) ?? "", "run `npm run generate`").toMatchFileSnapshot(join(CHECKOUT, file));
  });

  test("is all there is", () => {
    const pages = readdirSync(join(CHECKOUT, "docs", "reference"))
      .filter((file) => !HANDWRITTEN.includes(file))
      .map((file) => `docs/reference/${file}`);
    expect([...files].sort()).toEqual([...made.keys()].sort());
    expect([...made.keys()].filter((file) => file.startsWith("docs/reference/")).sort()).toEqual(
      pages.sort(),
    );
  });
});

describe("The messages that the source explains", () => {
  const messages = readMessages(CHECKOUT);

  test("have a code each", () => {
    const codes = messages.map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)]);
  });

  test("end with it in what the provider says, but for the words of a function", () => {
    const own = messages.filter(({ file }) => file.startsWith("src/provider/"));
    const codes = read("src/shared/protocol/message-codes.ts");
    const without = own
      .filter(({ code, file }) => !`${read(file)}${codes}`.includes(`"${code}"`))
      .map(({ code }) => code);
    expect(own.length).toBeGreaterThan(25);
    expect(without.sort()).toEqual(["agent-disconnected"]);
  });

  test("are quoted by a test each", () => {
    const tests = globSync("test/**/*.{ts,snap}", { cwd: CHECKOUT }).map((file) => read(file));
    const isQuoted = (words: readonly string[]) =>
      words.some((_, at) => {
        const part = words.slice(at, at + 4).join(" ");
        return (part.split(" ").length === 4 || at === 0) && tests.some((text) => text.includes(part));
      });
    expect(messages.filter(({ parts }) => !parts.some(isQuoted))).toEqual([]);
  });
});

test("The README says how many operations agree with recorded live traffic", () => {
  expect(read("README.md")).toContain(`${agreement(clientSide.operations, outside)} agree with`);
});

/** What the examples take for granted, as a reader does: what is imported, and what stands before them in the program. */
const GIVEN = { "src/index.ts": Object.keys(programSide), "src/client/index.ts": Object.keys(clientSide) };
const VALUES = {
  "src/index.ts": {
    linux: "Cluster",
    fast: "Queue",
    linuxDefaultQueue: "ClusterDefaultQueue",
    platform: "Team",
    unit: "Suite",
    storefront: "Pipeline",
    nightly: "PipelineSchedule",
  },
  "src/client/index.ts": {
    client: "BuildPipelineClient",
    cluster: "Cluster",
    queue: "Queue",
    token: "AgentToken",
    template: "PipelineTemplate",
    team: "Team",
    secret: "ClusterSecret",
    maintainer: "ClusterMaintainer",
    suite: "Suite",
    pipeline: "Pipeline",
    schedule: "PipelineSchedule",
    wanted: "TeamWrite",
    user: "Member",
    build: "Build",
    run: "Run",
    agent: "Agent",
    service: "NotificationService",
    rule: "OrganizationRule",
  },
};
const TEXTS = ["id", "clusterId", "tokenUuid", "runUuid", "buildId"].concat([
  "teamId",
  "userId",
  "pipelineId",
  "suiteId",
  "assignmentId",
  "scheduleId",
  "invitationId",
  "eventUuid",
]);

test("The examples in comments compile", () => {
  const globals = Object.entries(GIVEN).flatMap(([file, names]) =>
    names.map((name) => `declare const ${name}: typeof import("./${file.replace(".ts", ".js")}").${name};`),
  );
  const values = Object.entries(VALUES).flatMap(([file, types]) =>
    Object.entries(types).map(
      ([name, type]) => `declare const ${name}: import("./${file.replace(".ts", ".js")}").${type};`,
    ),
  );
  values.push('declare const pulumi: typeof import("@pulumi/pulumi");');
  values.push(`declare const ${TEXTS.map((name) => `${name}: string`).join(", ")};`);
  const files: Record<string, string> = { "given.d.ts": [...globals, ...values].join("\n") };
  for (const [file, text] of made) {
    if (!file.endsWith(".md")) continue;
    const blocks = fencedBlocks(text).filter(({ language, verb }) => language === "ts" && verb !== "excerpt");
    for (const [at, block] of blocks.entries()) {
      // A signature stands for itself.
      if (/^\w+\([\s\S]*\): [\w<>]+(?:\[\])?$/.test(block.text.trim())) continue;
      files[`${file.replace(/\W/g, "-")}-${at}.mts`] = `${block.text}\nexport {};\n`;
    }
  }
  expect(Object.keys(files).length).toBeGreaterThan(70);
  expect(problemsOf(files, optionsOf("tsconfig.json"))).toEqual([]);
});
