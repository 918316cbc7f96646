// VitePress: the site's menus. The pages come from docs/ through build.mjs.
import { repositoryUrl } from "../pages.mjs";

const item = (/** @type {string} */ text, /** @type {string} */ page) => ({ text, link: `/${page}` });

const resources = [
  item("Cluster", "reference/cluster"),
  item("Queue", "reference/queue"),
  item("ClusterDefaultQueue", "reference/cluster-default-queue"),
  item("AgentToken", "reference/agent-token"),
  item("PipelineTemplate", "reference/pipeline-template"),
  item("Team", "reference/team"),
  item("Suite", "reference/suite"),
];

const sidebar = [
  {
    text: "Tutorials",
    items: [item("Get started", "get-started"), item("A platform team", "platform-team")],
  },
  {
    text: "How-to guides",
    items: [
      item("Import an organization", "importing"),
      item("From Terraform", "from-terraform"),
      item("From @pulumiverse", "from-pulumiverse"),
      item("Deploy from Git", "gitops"),
      item("Impact of a change", "impact"),
      item("Drift", "drift"),
      item("Secrets and rotation", "secrets"),
      item("Policies", "policies"),
      item("Programs and tests", "programs"),
      item("Other languages", "native"),
      item("Ask a live service", "probe"),
      item("Runbook", "runbook"),
      item("Disaster recovery", "disaster-recovery"),
    ],
  },
  {
    text: "Reference",
    items: [
      item("Commands", "commands"),
      item("Commands in detail", "reference/commands"),
      { text: "Resources", link: "/reference/resources", collapsed: true, items: resources },
      item("Functions", "reference/functions"),
      item("Client and operations", "reference/client"),
      item("Emulator", "emulator"),
      item("Settings", "reference/settings"),
      item("Scopes", "reference/scopes"),
      item("Errors", "reference/errors"),
    ],
  },
  {
    text: "Explanation",
    items: [
      item("Concepts", "concepts"),
      item("Guarantees", "guarantees"),
      item("Sizes and limits", "sizes"),
      item("Versions and support", "support"),
      item("Security", "security"),
      item("Changelog", "changelog"),
    ],
  },
  {
    text: "For contributors",
    link: "/contributing",
    collapsed: true,
    items: [
      item("Design", "internals/design"),
      item("Adding a kind", "internals/adding-a-kind"),
      item("Tests", "internals/tests"),
      item("Benchmarks", "internals/benchmarks"),
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
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "/favicon.svg" }]],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark" },
    // Two braces in inline code are code, and not an expression of Vue's.
    config: (/** @type {any} */ { renderer: { rules } }) => {
      const { code_inline: render } = rules;
      rules.code_inline = (/** @type {any[]} */ ...args) => render(...args).replace(/^<code/, "<code v-pre");
    },
  },
  themeConfig: {
    nav: [
      item("Get started", "get-started"),
      item("Guides", "importing"),
      item("Reference", "reference/resources"),
      item("Errors", "reference/errors"),
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: repositoryUrl }],
  },
};
