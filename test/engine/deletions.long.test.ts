import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { disappears } from "../../src/cli/drawing/actions.js";
import { readPreview } from "../../src/cli/pulumi/preview.js";
import { readStackState } from "../../src/cli/pulumi/stack-export.js";
import { planOf } from "../../src/review/plan/plan.js";
import { nameOfUrn } from "../../src/shared/protocol/urn.js";
import { randomSituation } from "../review/report/deletions/situations.mjs";
import { CHECKOUT } from "./ending.js";
import { Project } from "./project.js";

test.each([
  ["dynamic", "pulumi-buildpipeline", 1],
  ["plugin", "pulumi-buildpipeline/native", 2],
])(
  "A report names what a deployment deletes, in random combinations of options (%s)",
  async (_, entry, seed) => {
    const project = await Project.start();
    project.declare("");
    cpSync(
      join(CHECKOUT, "test", "review", "report", "deletions", "index.js"),
      join(project.directory, "index.js"),
    );
    project.write("situation.json", JSON.stringify(randomSituation(seed, 10)));
    await project.newStack();
    const version = (name: string) => `DELETIONS_ENTRY=${entry} RECORDED_VERSION=${name}`;
    const up = (name: string) => project.shell(`${version(name)} pulumi up --yes --skip-preview`);
    await up("before");
    const state = readStackState(JSON.parse(await project.shell("pulumi stack export 2>/dev/null")));
    const preview = `${version("after")} pulumi preview --json --show-replacement-steps 2>/dev/null`;
    const plan = planOf(readPreview(JSON.parse(await project.shell(preview))), state);
    await up("after");
    const { clusters, queues, agentTokens } = project.emulator.organizationData;
    const exists = (id: string) => [clusters, queues, agentTokens].some((all) => all.get(id) !== undefined);
    const names = (all: readonly { readonly urn: string }[]) => all.map(({ urn }) => nameOfUrn(urn)).sort();
    expect(names(plan.deployed.filter(disappears))).toEqual(
      names(state.resources.filter(({ id }) => !exists(id))),
    );
  },
);
