// VitePress: the site's menus. The pages come from docs/ through build.mjs.

const item = (/** @type {string} */ text, /** @type {string} */ page) => ({ text, link: `/${page}` });

const resources = [
  item("Overview", "reference/resources"),
  item("Cluster", "reference/cluster"),
  item("Queue", "reference/queue"),
  item("ClusterDefaultQueue", "reference/cluster-default-queue"),
  item("AgentToken", "reference/agent-token"),
  item("PipelineTemplate", "reference/pipeline-template"),
  item("Team", "reference/team"),
  item("Suite", "reference/suite"),
];

const sidebar = [
  { text: "Start", items: [item("Get started", "get-started"), item("Concepts", "concepts")] },
  {
    text: "Guides",
    items: [
      item("Import an organization", "importing"),
      item("Deploy from Git", "gitops"),
      item("Impact of a change", "impact"),
      item("Secrets and rotation", "secrets"),
      item("Configuration", "configuration"),
      item("Programs and tests", "programs"),
      item("Other languages", "native"),
      item("From Terraform", "from-terraform"),
      item("Runbook", "runbook"),
    ],
  },
  { text: "Resources", items: [item("Behavior", "resources"), ...resources] },
  {
    text: "Reference",
    items: [
      item("Functions", "functions"),
      item("All functions", "reference/functions"),
      item("Commands", "commands"),
      item("All options", "reference/commands"),
      item("Settings", "reference/settings"),
      item("Client", "client"),
      item("All methods", "reference/client"),
      item("Operations of the API", "operations"),
      item("Emulator", "emulator"),
      item("Errors", "reference/errors"),
    ],
  },
  {
    text: "How it behaves",
    items: [item("Previews", "previews"), item("Guarantees", "guarantees"), item("Security", "security")],
  },
  {
    text: "Help",
    items: [item("Troubleshooting", "troubleshooting"), item("FAQ", "faq"), item("Changelog", "changelog")],
  },
  {
    text: "For contributors",
    collapsed: true,
    items: [
      item("Contributing", "contributing"),
      item("Design", "internals/design"),
      item("Adding a kind", "internals/adding-a-kind"),
      item("Faults", "internals/faults"),
      item("Conformance", "internals/conformance"),
      item("Compatibility", "internals/compatibility"),
      item("Benchmarks", "internals/benchmarks"),
      item("Dependencies", "internals/dependencies"),
      item("Releasing", "internals/releasing"),
    ],
  },
];

export default {
  title: "pulumi-buildpipeline",
  description: "A Pulumi provider for Buildkite's REST API",
  srcDir: "pages",
  cleanUrls: true,
  lang: "en-US",
  themeConfig: {
    nav: [
      item("Get started", "get-started"),
      item("Guides", "importing"),
      item("Reference", "reference/resources"),
      item("Troubleshooting", "troubleshooting"),
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
  },
};
