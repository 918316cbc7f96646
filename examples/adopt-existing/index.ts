import * as pulumi from "@pulumi/pulumi";
import { AgentToken, Cluster, PipelineTemplate, Queue, Suite, Team } from "pulumi-buildpipeline";

// Declares existing objects and imports them with the option `import`. Nothing is created: the preview shows each
// resource as `+ create` with an unknown id, and `pulumi up` finds the objects and writes them to state. If a
// declaration differs from its object, the preview lists the differences and fails.
//
// Afterwards, remove the `import` options and deploy once more. Each resource gets an update that sends nothing. Until
// then this program can't delete or replace an imported object: `pulumi destroy` only removes it from state.
//
// To try it, `prepare.mts` creates such objects: eval "$(node prepare.mts)"
const ids = new pulumi.Config();

// A cluster: by its name, or by its id.
const linux = new Cluster("linux", { name: "Linux", emoji: ":penguin:" }, { import: "Linux" });
const mac = new Cluster("mac", { name: "Mac" }, { import: ids.require("mac") });

// A queue: its cluster (name or id), a slash, then its key or id.
new Queue("linux-small", { clusterId: linux, key: "small" }, { import: "Linux/small" });
new Queue(
  "mac-signing",
  { clusterId: mac, key: "signing" },
  { import: `${ids.require("mac")}/${ids.require("signing")}` },
);

// An agent token: its cluster, a slash, then its id. The API returned its secret to its creator, so the output
// `token` stays undefined. To have one in the state, remove `import`, deploy, then set `triggers` to rotate it.
new AgentToken(
  "linux-farm",
  { clusterId: linux, description: "Build farm", allowedIpAddresses: ["10.20.0.0/16"] },
  { import: `Linux/${ids.require("farm")}` },
);

// A pipeline template: by its name, or by its id. The text may be formatted differently, as long as it means
// the same.
new PipelineTemplate(
  "node",
  { name: "Node", configuration: "steps:\n- command: npm test\n" },
  { import: "Node" },
);
new PipelineTemplate(
  "go",
  { name: "Go", configuration: { steps: [{ command: "go test ./..." }] }, available: true },
  { import: ids.require("go") },
);

// A team: by its slug, or by its id. The API may not return `defaultMemberRole` and
// `membersCanCreatePipelines`, and every update sends them, so give both their present values.
new Team(
  "platform",
  { name: "Platform", defaultMemberRole: "member", membersCanCreatePipelines: true },
  { import: "platform" },
);
new Team(
  "security",
  {
    name: "Security",
    privacy: "secret",
    defaultMemberRole: "member",
    membersCanCreatePipelines: false,
  },
  { import: ids.require("security") },
);

// A suite: by its slug, or by its id. Its API token stays unknown, as an agent token's secret does.
new Suite("unit", { name: "Unit", defaultBranch: "main" }, { import: "unit" });
new Suite("browser", { name: "Browser", defaultBranch: "main" }, { import: ids.require("browser") });

export const adopted = { linux: linux.id, mac: mac.id };
