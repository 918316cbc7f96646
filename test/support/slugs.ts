/** Names of public pipelines of Buildkite's users, with the slugs that Buildkite made of them. */
export const SLUGS = [
  ["Bazelisk + Incompatible flags", "bazelisk-plus-incompatible-flags"],
  ["Bazel@HEAD + Downstream", "bazel-at-head-plus-downstream"],
  ["Bazel Auto Sheriff :face_with_cowboy_hat:", "bazel-auto-sheriff-face-with-cowboy-hat"],
  ["vscode-bazel :vs: :bazel:", "vscode-bazel-vs-bazel"],
  ["rules-proto-grpc/rules_proto_grpc", "rules-proto-grpc-rules-proto-grpc"],
  ["github.com/brightspace/rules_csharp", "github-dot-com-brightspace-rules-csharp"],
  ["Abseil C++", "abseil-c-plus-plus"],
  [":bazel: Bazel (arm64)", "bazel-bazel-arm64"],
  ["DocGen: Bazel-website", "docgen-bazel-website"],
  ["rules_jvm_external - examples", "rules-jvm-external-examples"],
  ["wc.org: build + test", "wc-dot-org-build-plus-test"],
  ["kibana / pull request", "kibana-pull-request"],
  ["kibana / custom Node.js builds", "kibana-custom-node-dot-js-builds"],
  ["TesT --- PipeLine - x", "test-pipeline-x"],
  ["Hello    There Friend", "hello-there-friend"],
  // By the rule that these show.
  ["Search & Rescue #1 *", "search-and-rescue-number-1-star"],
  ["100% = all...", "100-percent-equals-all-dot-dot-dot"],
  ["Ada's Café.", "adas-cafe"],
  [`${"a".repeat(99)} b`, "a".repeat(99)],
] as const;
