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
    items: [item("Get started", "start/get-started"), item("A platform team", "start/platform-team")],
  },
  {
    text: "How-to guides",
    items: [
      item("Import an organization", "guides/importing"),
      item("From Terraform", "guides/from-terraform"),
      item("From @pulumiverse", "guides/from-pulumiverse"),
      item("Deploy from Git", "guides/deploy-from-git"),
      item("Deploy several projects", "guides/deploy-several-projects"),
      item("Impact of a change", "guides/impact"),
      item("Drift", "guides/drift"),
      item("Secrets and rotation", "guides/secrets"),
      item("Policies", "guides/policies"),
      item("Programs and tests", "guides/programs"),
      item("Other languages", "guides/native"),
      item("Ask a live service", "guides/probe"),
      item("Runbook", "guides/runbook"),
      item("Disaster recovery", "guides/disaster-recovery"),
    ],
  },
  {
    text: "Reference",
    items: [
      item("Commands", "reference/commands-overview"),
      item("Commands in detail", "reference/commands"),
      { text: "Resources", link: "/reference/resources", collapsed: true, items: resources },
      item("Functions", "reference/functions"),
      item("Client and operations", "reference/client"),
      item("Emulator", "reference/emulator"),
      item("Settings", "reference/settings"),
      item("Scopes", "reference/scopes"),
      item("Errors", "reference/errors"),
    ],
  },
  {
    text: "Explanation",
    items: [
      item("Concepts", "explain/concepts"),
      item("Guarantees", "explain/guarantees"),
      item("Sizes and limits", "explain/sizes"),
      item("Versions and support", "explain/support"),
      item("Security", "security"),
      item("Changelog", "changelog"),
    ],
  },
  {
    text: "For contributors",
    link: "/contributing",
    collapsed: true,
    items: [
      item("Where to change what", "internals/where-to-change"),
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
      item("Get started", "start/get-started"),
      item("Guides", "guides/importing"),
      item("Reference", "reference/resources"),
      item("Errors", "reference/errors"),
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: repositoryUrl }],
  },
};
