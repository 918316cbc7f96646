/** The parts of the source that adding-a-kind.test.ts tries in a copy with kinds of its own. */

export { topologyOfListing } from "../../src/cli/drawing/topology.js";
export { listOrganization } from "../../src/cli/inventory/listing.js";
export { compareOwnership } from "../../src/cli/inventory/ownership.js";
export { readPreview } from "../../src/cli/pulumi/preview.js";
export { BuildPipelineClient } from "../../src/client/index.js";
export { adopt } from "../../src/commands/adopt/adoption.js";
export { readProject } from "../../src/commands/adopt/existing-project.js";
export { languageNamed } from "../../src/commands/adopt/languages/all-languages.js";
export { KindProvider } from "../../src/provider/dynamic/host.js";
export { kinds } from "../../src/provider/for-commands/kinds.js";
export { sessionPool } from "../../src/provider/lifecycle/run/session.js";
export { findingsOf } from "../../src/review/findings/findings.js";
export { reportOf } from "../../src/review/findings/report.js";
export { markdown } from "../../src/review/forms/markdown.js";
export { planOf } from "../../src/review/plan/plan.js";
export { describePackage } from "../../tools/generate/description.js";
export { Quickstart } from "../../tools/generate/quickstart.js";
export { resourcePages } from "../../tools/generate/resource-pages.js";
export { schemaOf } from "../../tools/generate/schema.js";
