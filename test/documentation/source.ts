/** The parts of the source that adding-a-kind.test.ts tries in a copy with kinds of its own. */

export { adopt } from "../../src/adoption/adoption.js";
export { readProject } from "../../src/adoption/existing-project.js";
export { languageNamed } from "../../src/adoption/languages/language.js";
export { BuildPipelineClient } from "../../src/client/index.js";
export { KindProvider } from "../../src/dynamic/host.js";
export { listOrganization } from "../../src/inventory/listing.js";
export { compareOwnership } from "../../src/inventory/ownership.js";

import "../../src/lookups/index.js";

export { functions } from "../../src/lookups/invoke/function.js";
export { sessionPool } from "../../src/provider/run/session.js";
export { kinds } from "../../src/provider/values/kinds.js";
export { markdown } from "../../src/report/markdown.js";
export { planOf } from "../../src/report/plan.js";
export { readPreview } from "../../src/report/preview.js";
export { reportOf } from "../../src/report/report.js";
export { topologyOfListing } from "../../src/topology/of-objects.js";
export { describePackage } from "../../tools/generate/description.js";
export { programParts, resourcePages } from "../../tools/generate/program-pages.js";
export { Quickstart } from "../../tools/generate/quickstart.js";
export { schemaOf } from "../../tools/generate/schema.js";
