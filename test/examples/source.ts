/** The parts of the source that adding-a-kind.test.ts tries in a copy with kinds of its own. */

export { BuildPipelineClient } from "../../src/client/index.js";
export { adopt } from "../../src/commands/adopt/adoption.js";
export { readProject } from "../../src/commands/adopt/existing-project.js";
export { languageNamed } from "../../src/commands/adopt/languages/all-languages.js";
export { markdown } from "../../src/commands/report/markdown.js";
export { reportOf } from "../../src/commands/report/report.js";
export { topologyOfListing } from "../../src/commands/shared/drawing/topology.js";
export { listOrganization } from "../../src/commands/shared/inventory/listing.js";
export { compareOwnership } from "../../src/commands/shared/inventory/ownership.js";
export { planOf } from "../../src/commands/shared/plan/plan.js";
export { readPreview } from "../../src/commands/shared/pulumi/preview.js";
export { KindProvider } from "../../src/provider/dynamic/host.js";
export { sessionPool } from "../../src/provider/lifecycle/run/session.js";
export { kinds } from "../../src/provider/lifecycle/values/kinds.js";
export { describePackage } from "../../tools/generate/description.js";
export { Quickstart } from "../../tools/generate/quickstart.js";
export { resourcePages } from "../../tools/generate/resource-pages.js";
export { schemaOf } from "../../tools/generate/schema.js";
