import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import {
  Cluster,
  ClusterMaintainer,
  OrganizationRule,
  Pipeline,
  Queue,
  Team,
  TeamMember,
} from "../../../src/index.js";
import { startEngine } from "../functions/surroundings.js";

const ID = "0198ab00-0000-4000-8000-00000000000a";
const pipeline = (name: string, args: object = {}) =>
  new Pipeline(name, { name, repository: "git@git.example:a.git", ...args });

/** Two entries that want what only one may have. Undefined: they may have it, at most with a warning. */
const PAIRS: Readonly<Record<string, readonly [RegExp | undefined, (team: Team, linux: Cluster) => void]>> = {
  "keys in a cluster": [
    /Queue.key: "small" is the key of "first" in the same cluster already/,
    (_, linux) => {
      for (const name of ["first", "second"]) new Queue(name, { clusterId: linux, key: "small" });
    },
  ],
  "a member, once in capitals": [
    /TeamMember.userId: .*is a member of the same team by "first" already/,
    (team) => {
      new TeamMember("first", { teamId: team, userId: ID });
      new TeamMember("second", { teamId: team, userId: ID.toUpperCase() });
    },
  ],
  "a team that maintains a cluster": [
    /ClusterMaintainer.teamId: maintains the same cluster by "first" already/,
    (team, linux) => {
      for (const name of ["first", "second"]) new ClusterMaintainer(name, { clusterId: linux, teamId: team });
    },
  ],
  "a user who maintains a cluster, once in capitals": [
    /maintains the same cluster by "first" already/,
    () => {
      new ClusterMaintainer("first", { clusterId: ID, userId: ID });
      new ClusterMaintainer("second", { clusterId: ID.toUpperCase(), userId: ID.toUpperCase() });
    },
  ],
  "rules of one type for the same pipelines, which the API may refuse": [
    undefined,
    () => {
      const ids = { sourcePipelineId: ID, targetPipelineId: ID };
      for (const name of ["first", "second"])
        new OrganizationRule(name, { type: "pipeline.trigger_build.pipeline", ...ids });
      new OrganizationRule("third", { type: "pipeline.artifacts_read.pipeline", ...ids });
    },
  ],
  "slugs that both are given": [
    /Pipeline.slug: "shop" is the slug of "Second" already/,
    () => {
      pipeline("Shop");
      pipeline("Second", { slug: "shop" });
      pipeline("Third", { slug: "shop" });
    },
  ],
  "a slug that is given, and one that a name may make": [
    undefined,
    () => {
      pipeline("Shop");
      pipeline("Something else", { slug: "shop" });
      pipeline("shop");
    },
  ],
};

test.each(Object.entries(PAIRS))("Two entries of a program want %s", async (_, [words, declare]) => {
  await startEngine();
  let refusal = "";
  await pulumi.runtime.runInPulumiStack(async () => {
    const [team, linux] = [new Team("team", { name: "Web" }), new Cluster("linux", { name: "Linux" })];
    try {
      declare(team, linux);
    } catch (error) {
      refusal = String(error);
    }
  });
  if (words === undefined) expect(refusal).toBe("");
  else expect(refusal).toMatch(words);
});
