import { beforeAll, expect, test } from "vitest";
import { blockMarked } from "../examples/documents.js";
import { Project } from "./project.js";
import { follow } from "./reader.js";

/** The tests follow each other: each begins where the one before it ended. */
let project: Project;
beforeAll(async () => {
  project = await Project.start();
  project.write("Pulumi.yaml", "name: ci\nruntime: nodejs\nmain: index.ts\n");
  project.write("index.ts", blockMarked("file", "readme/index.ts").text);
  await project.shell("pulumi stack init production && pulumi up --yes --skip-preview");
});

const guide = (name: string) => follow(project, `docs/guides/${name}.md`, "guides");
const edit = (from: string, to: string) =>
  project.write("index.ts", project.read("index.ts").replace(from, to));

test("The guide to reviews finds a replaced queue, and what explain/concepts.md says of it", async () => {
  edit('key: "small"', 'key: "tiny"');
  await guide("review");
  expect(project.read("comment.md")).toMatch(/Queue .*small.* is replaced by .*tiny/);
  expect(project.read("load.svg")).toContain("small");
  const { steps } = JSON.parse(project.read("preview.json"));
  const shown = steps.map(({ op, urn }: Record<"op" | "urn", string>) => `${op} ${urn.split("::").at(-1)}`);
  expect(shown).toEqual(expect.arrayContaining(["replace small", "update linux-default"]));
  edit('key: "tiny"', 'key: "small"');
});

test("The guide to draining pauses a queue for a deployment, and resumes it", async () => {
  const paused: unknown[] = [];
  await follow(project, "docs/guides/drain.md", "guides", async () => {
    paused.push(project.emulator.organizationData.queues.list().map((queue) => queue.dispatch_paused));
  });
  expect(paused).toEqual([[true], [true], [false]]);
});

test("The guide to drift finds none, and then a renamed cluster", async () => {
  await guide("drift");
  expect(project.read("drift.md")).toContain("No changes");
  const [cluster] = project.emulator.organizationData.clusters.list();
  await project.colleague.sends("PUT", `/clusters/${cluster?.id}`, { name: "Renamed" });
  await expect(guide("drift")).rejects.toThrow();
  await project.shell("pulumi up --refresh --yes --skip-preview");
});

test("The guides' other commands run where nothing is wrong", async () => {
  const owned = (await guide("recover")).get(
    "npx pulumi-buildpipeline unmanaged --all-stacks --only AgentToken",
  );
  expect(owned).toContain("Every object of the types compared (AgentToken) is owned by a stack");
  const shop = await project.colleague.sends("POST", "/pipelines", {
    name: "Web shop",
    repository: "git@github.com:acme/web-shop.git",
    configuration: "steps: []",
  });
  const { id } = await project.colleague.sends("POST", "/teams", {
    name: "Payments",
    description: "",
    privacy: "visible",
    is_default_team: false,
    default_member_role: "member",
    members_can_create_pipelines: false,
  });
  await project.colleague.sends("POST", `/teams/${id}/pipelines`, {
    pipeline_id: shop.id,
    access_level: "manage_build_and_read",
  });
  const adopting = await guide("importing");
  expect([...adopting.values()][0]).toContain("payments/pipelines.ts");
  await guide("probe");
  expect(Object.keys(JSON.parse(project.read("probe.json")).answers).length).toBeGreaterThan(30);
  await project.unchanged();
});
