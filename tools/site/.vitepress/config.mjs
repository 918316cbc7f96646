// VitePress: the site's settings. The pages come from docs/ through build.mjs, and the menu from their index.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../../dev/checkout.mjs";
import { isOwned, menuOf, renamed, repositoryUrl } from "../pages.mjs";

const item = (/** @type {string} */ text, /** @type {string} */ page) => ({ text, link: `/${page}` });

const sidebar = menuOf(readFileSync(join(checkout, "docs", "README.md"), "utf8"));

export default {
  title: "pulumi-buildpipeline",
  description: "A Pulumi provider for Buildkite's REST API",
  srcDir: "pages",
  srcExclude: ["public/**"],
  rewrites: { ...renamed, "docs/:path*": ":path*" },
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
    ...(isOwned && {
      editLink: { pattern: `${repositoryUrl}/edit/main/:path` },
      socialLinks: [{ icon: "github", link: repositoryUrl }],
    }),
  },
};
