import { onContentUpdated, withBase } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { h } from "vue";
import "./style.css";

const ALT =
  "A report: its verdict, the dangerous changes with the jobs that they hit, then each change by cluster";

/** The report under the title of the home page, light or dark as the page is. */
const report = () =>
  h("figure", { class: "report" }, [
    ...["light", "dark"].map((theme) =>
      h("img", { class: `in-${theme}`, src: withBase(`/pictures/report-${theme}.png`), alt: ALT }),
    ),
    h(
      "figcaption",
      "The report on a pull request: what is dangerous comes first, with the jobs and agents that it would hit.",
    ),
  ]);

export default {
  extends: DefaultTheme,
  Layout: {
    setup() {
      // VitePress has a main landmark on every page but the home page.
      onContentUpdated(() => {
        const content = document.getElementById("VPContent");
        if (content?.classList.contains("is-home")) content.setAttribute("role", "main");
        else content?.removeAttribute("role");
      });
      return () => h(DefaultTheme.Layout, null, { "home-hero-after": report });
    },
  },
};
