// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts that look like code.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { LANGUAGES, languageNamed } from "../../../src/commands/adopt/languages/all-languages.js";
import {
  type Declaration,
  FileText,
  ProgramFile,
  Reference,
} from "../../../src/commands/adopt/languages/program-file.js";
import { projectFiles } from "../../../src/commands/adopt/languages/project-files.js";
import { plain } from "../../../src/commands/adopt/languages/regular.js";
import { cases } from "../../support/cases.js";

/** Declares a resource that nothing is ignored of. */
function declare(
  file: ProgramFile,
  identifier: string | undefined,
  className: string,
  logicalName: string,
  args: Declaration["args"],
  more: Partial<Declaration> = {},
): void {
  file.declare({ identifier, className, logicalName, args, ignoreChanges: [], comments: [], ...more });
}

/** A program with each form of a value. */
function program(language: string): string {
  const file = new ProgramFile("index.ts", "pulumi-buildpipeline");
  const clusterId = new Reference("linux");
  declare(
    file,
    "linux",
    "Cluster",
    "linux",
    { name: 'Linux "1"', description: "$HOME ${x}\r\n" },
    { ignoreChanges: ["emoji"], protect: true, comments: ["A comment."] },
  );
  declare(file, "small", "Queue", "日本-small", { clusterId, key: "yes", dispatchPaused: true });
  const queueId = new Reference("small", true);
  declare(file, undefined, "ClusterDefaultQueue", "default", { clusterId, queueId });
  declare(file, "node", "PipelineTemplate", "node", {
    configuration: new FileText("templates/node.yml", "steps: []"),
    sizes: ["a", "b"],
    teamIds: [new Reference("small")],
  });
  return languageNamed(language).program(file, plain(file));
}

test("A program in TypeScript", () => {
  expect(program("typescript")).toBe(`import { readFileSync } from "node:fs";
import {
  Cluster,
  ClusterDefaultQueue,
  PipelineTemplate,
  Queue,
} from "pulumi-buildpipeline";

// A comment.
export const linux = new Cluster("linux", {
  name: "Linux \\"1\\"",
  description: "$HOME \${x}\\r\\n",
}, { ignoreChanges: ["emoji"], protect: true });

export const small = new Queue("日本-small", {
  clusterId: linux,
  key: "yes",
  dispatchPaused: true,
});

new ClusterDefaultQueue("default", { clusterId: linux, queueId: small.id });

export const node = new PipelineTemplate("node", {
  configuration: readFileSync("templates/node.yml", "utf8"),
  sizes: ["a", "b"],
  teamIds: [small],
});
`);
});

test("A program in Python", () => {
  expect(program("python")).toBe(`import signal
from pathlib import Path

import pulumi
import pulumi_buildpipeline as buildpipeline

# Pulumi interrupts the program after an error. Without this line, Python prints a traceback for that.
signal.signal(signal.SIGINT, signal.SIG_DFL)

# A comment.
linux = buildpipeline.Cluster(
    "linux",
    name="Linux \\"1\\"",
    description="$HOME \${x}\\r\\n",
    opts=pulumi.ResourceOptions(ignore_changes=["emoji"], protect=True),
)

small = buildpipeline.Queue(
    "日本-small",
    cluster_id=linux.id,
    key="yes",
    dispatch_paused=True,
)

buildpipeline.ClusterDefaultQueue("default", cluster_id=linux.id, queue_id=small.id)

node = buildpipeline.PipelineTemplate(
    "node",
    configuration=Path("templates/node.yml").read_bytes().decode(),
    sizes=["a", "b"],
    team_ids=[small.id],
)
`);
});

test("A program in Go, which has no variable that nothing refers to", () => {
  expect(program("go")).toBe(`package main

import (
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/your-organization/pulumi-buildpipeline/sdk/go/buildpipeline"
)

func main() {
	pulumi.Run(organization)
}

func organization(ctx *pulumi.Context) error {
	// A comment.
	linux, err := buildpipeline.NewCluster(ctx, "linux", &buildpipeline.ClusterArgs{
		Name:        pulumi.String("Linux \\"1\\""),
		Description: pulumi.String("$HOME \${x}\\r\\n"),
	}, pulumi.IgnoreChanges([]string{"emoji"}), pulumi.Protect(true))
	if err != nil {
		return err
	}
	small, err := buildpipeline.NewQueue(ctx, "日本-small", &buildpipeline.QueueArgs{
		ClusterId:      linux.ID(),
		Key:            pulumi.String("yes"),
		DispatchPaused: pulumi.Bool(true),
	})
	if err != nil {
		return err
	}
	if _, err := buildpipeline.NewClusterDefaultQueue(ctx, "default", &buildpipeline.ClusterDefaultQueueArgs{
		ClusterId: linux.ID(),
		QueueId:   small.ID(),
	}); err != nil {
		return err
	}
	nodeText, err := os.ReadFile("templates/node.yml")
	if err != nil {
		return err
	}
	if _, err := buildpipeline.NewPipelineTemplate(ctx, "node", &buildpipeline.PipelineTemplateArgs{
		Configuration: pulumi.String(nodeText),
		Sizes:         pulumi.ToStringArray([]string{"a", "b"}),
		TeamIds:       pulumi.StringArray{small.ID()},
	}); err != nil {
		return err
	}
	return nil
}
`);
});

test("A program in YAML, in which $ doesn't begin a reference and no key needs quotes", () => {
  expect(program("yaml")).toBe(`resources:
  # A comment.
  linux:
    type: buildpipeline:index:Cluster
    properties:
      name: "Linux \\"1\\""
      description: "$$HOME $\${x}\\r\\n"
    options:
      ignoreChanges: [emoji]
      protect: true
  small:
    type: buildpipeline:index:Queue
    name: "日本-small"
    properties:
      clusterId: \${linux.id}
      key: "yes"
      dispatchPaused: true
  default:
    type: buildpipeline:index:ClusterDefaultQueue
    properties:
      clusterId: \${linux.id}
      queueId: \${small.id}
  node:
    type: buildpipeline:index:PipelineTemplate
    properties:
      configuration:
        fn::readFile: "templates/node.yml"
      sizes:
        - a
        - b
      teamIds:
        - \${small.id}
`);
});

test.each(["null", "true", "yes", "pulumi", "2nd", "日本"])(
  "A name that YAML or Pulumi takes for something else is no key: %s",
  (logicalName) => {
    const file = new ProgramFile("Main.yaml", "");
    const args = { name: logicalName };
    declare(file, "linux", "Cluster", logicalName, args);
    const written = languageNamed("yaml").program(file, plain(file));
    expect(parse(written, { version: "1.1" })).toEqual({
      resources: { linux: { type: "buildpipeline:index:Cluster", name: logicalName, properties: args } },
    });
  },
);

describe("The name of a language", () => {
  test("is taken in any case", () => {
    expect(languageNamed("Python")).toBe(LANGUAGES.python);
  });

  test.each(["java", "csharp", "constructor"])("that was never run is refused: %s", (name) => {
    expect(() => languageNamed(name)).toThrow(`adopt writes typescript, python, go, yaml, but not ${name}`);
  });
});

const PROJECT = {
  organization: "acme",
  name: "ci",
  dependency: "^0.1.0",
  backend: "plugin",
  refreshes: false,
  packages: "node_modules",
  reads: [],
} as const;

test("A project's name is a text for parsers of YAML 1.1, as Pulumi's is, and of YAML 1.2", () => {
  const named = fc.oneof(
    fc.constantFrom(..."2024_11 2020-01-01 0b1 1e3 0o17 true no 1_000.5 12 null y".split(" ")),
    fc.stringMatching(/^[A-Za-z0-9_][\w.-]{0,11}$/),
  );
  fc.assert(
    fc.property(named, (name) => {
      const text = projectFiles(languageNamed("typescript"), { ...PROJECT, name })["Pulumi.yaml"] ?? "";
      for (const version of ["1.1", "1.2"] as const)
        expect(parse(text, { version })).toMatchObject({ name, requiredPulumiVersion: expect.any(String) });
    }),
    { numRuns: cases(1_000) },
  );
});

test.each(Object.entries(LANGUAGES))(
  "A project in %s downloads nothing from an owner who is a placeholder",
  (_, language) => {
    const files = projectFiles(language, PROJECT);
    expect(files["Pulumi.yaml"]).toContain("name: ci");
    expect(files["Pulumi.yaml"]).not.toMatch(/your-organization|pluginDownloadURL/);
  },
);
