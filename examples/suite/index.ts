import { Suite, Team } from "pulumi-buildpipeline";

const web = new Team("web", { name: "Web" });
const quality = new Team("quality", { name: "Quality" });

// The API takes the teams when a suite is created and cannot change them afterwards. Once they have changed in
// the web interface, the third argument { ignoreChanges: ["teamIds"] } leaves them to it.
const browser = new Suite("browser-tests", {
  name: "Browser tests",
  defaultBranch: "main",
  teamIds: [web.id, quality.id],
  applicationName: "Storefront",
  color: "#264653",
  emoji: "🧪",
});

// Test collectors send results with this token. It is a secret: encrypted in the state, masked in output.
export const apiToken = browser.apiToken;
export const slug = browser.slug;
