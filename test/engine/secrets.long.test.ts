import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("Secret arguments, %s backend", (backend) => {
  const { Cluster, ClusterSecret, Pipeline, PipelineSchedule, PipelineTemplate, Suite, Team } =
    classesOf[backend];
  const stack = TestStack.forAll();

  test("show neither in outputs that spell them, nor in a text that contains them, nor as drift", async () => {
    const program = (branch: string) => async () => {
      const name = pulumi.secret("Project Nightingale");
      const suite = new Suite("suite", { name, defaultBranch: branch });
      const team = new Team("team", { name });
      const command = pulumi.secret("echo hunter2");
      new PipelineTemplate("template", { name: "Node", configuration: { steps: [{ command }] } });
      const pipeline = new Pipeline("pipeline", { name, repository: "git@git.example:a.git", clusterId: "" });
      new PipelineSchedule("schedule", { pipelineId: pipeline, cronline: "@daily", branch });
      const { slug, url, webUrl } = pipeline;
      return {
        suite: suite.slug,
        url: suite.url,
        webUrl: suite.webUrl,
        team: team.slug,
        pipeline: [slug, url, webUrl],
      };
    };
    const created = await stack.up(program("main"));
    expect(created.outputs).toMatchObject({ suite: "project-nightingale", team: "project-nightingale" });
    const { template } = await stack.state();
    await stack.colleague.sends("PATCH", `/pipeline-templates/${template?.id}`, {
      configuration: "steps: [echo hunter2 by hand]",
    });
    const outcomes = [created, await stack.refresh()];
    outcomes.push(await stack.preview(program("trunk")), await stack.up(program("trunk")));
    for (const text of [...outcomes.map(({ output }) => output), stack.files()])
      expect(text.toLowerCase()).not.toMatch(/nightingale|hunter2/);
  });

  test("stay secret in a preview beside what isn't known yet", async () => {
    const program = async () => {
      const { id } = new Cluster("main", { name: "Main" });
      const pipeline = new Pipeline("pipeline", {
        ...{ name: "Shop", repository: "git@git.example:a.git", clusterId: id },
        configuration: { steps: [{ command: pulumi.secret("echo hunter4"), agents: { cluster: id } }] },
      });
      const env = { KEY: pulumi.secret("hunter5"), CLUSTER: id };
      new PipelineSchedule("schedule", { pipelineId: pipeline, cronline: "@daily", env });
    };
    const outcomes = [await stack.preview(program), await stack.up(program)];
    expect(outcomes.map(({ output }) => output).join("")).toContain("schedule");
    for (const text of [...outcomes.map(({ output }) => output), stack.files()])
      expect(text).not.toMatch(/hunter\d/);
  });

  test("of a kind stay secret behind a transform that hands them on in plain", async () => {
    const program = (value: string) => async () => {
      const args = { clusterId: new Cluster("main", { name: "Main" }), key: "KEY", value: "replaced" };
      const transform = ({ props, opts }: Pick<pulumi.ResourceTransformArgs, "props" | "opts">) => ({
        props: { ...props, value },
        opts,
      });
      new ClusterSecret("new", args, { transforms: [transform] });
      new ClusterSecret("old", { ...args, key: "OLD" }, { transformations: [transform] });
    };
    const outcomes = [
      await stack.up(program("hunter2hunter2")),
      await stack.preview(program("hunter3hunter3")),
    ];
    expect(stack.emulator.organizationData.clusterSecrets.list()).toHaveLength(2);
    for (const text of [...outcomes.map(({ output }) => output), stack.files()])
      expect(text).not.toMatch(/hunter\dhunter/);
  });
});
