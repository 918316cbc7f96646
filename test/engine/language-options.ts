import type { Project } from "./project.js";

/** Where the program of an example is, what stands in it, and what takes its place. */
type Edit = readonly [file: string, ...replaced: readonly (readonly [text: string, by: string])[]];

/**
 * Adds to an example of a rotation, in its language: a provider of its own, a component with that provider and with
 * options of Pulumi, and a function. YAML has neither transforms nor hooks.
 */
export function addOptions(project: Project, language: string): void {
  const [file, ...replaced] = edits(project.emulator)[language] ?? [""];
  const text = replaced.reduce((before, [one, by]) => before.replace(one, by), project.read(file));
  project.write(file, text);
}

const edits = ({ organization, url }: Project["emulator"]): Readonly<Record<string, Edit>> => ({
  yaml: [
    "Pulumi.yaml",
    [
      "resources:\n",
      `variables:
  found:
    fn::invoke:
      function: buildpipeline:index:getCluster
      arguments: { name: Linux }
      options: { provider: "\${second}" }
resources:
  second:
    type: pulumi:providers:buildpipeline
    properties: { organization: ${organization}, baseUrl: ${url} }
  guarded:
    type: buildpipeline:index:RotatingAgentToken
    properties: { clusterId: "\${linux.id}", description: Guarded, generation: 2 }
    options: { provider: "\${second}", protect: true, retainOnDelete: true }
`,
    ],
    ["outputs:\n", `outputs:\n  found: \${found.id}\n`],
  ],
  python: [
    "__main__.py",
    [
      "farm = ",
      `second = buildpipeline.Provider("second", organization="${organization}", base_url="${url}")
def allow(args):
    if args.type_ == "buildpipeline:index:AgentToken":
        return pulumi.ResourceTransformResult({**args.props, "allowedIpAddresses": ["10.0.0.0/8"]}, args.opts)
seen = pulumi.ResourceHook("seen", lambda args: pulumi.info(f"hook of {args.name}"))
buildpipeline.RotatingAgentToken(
    "guarded",
    cluster_id=linux.id,
    description="Guarded",
    generation=2,
    opts=pulumi.ResourceOptions(
        provider=second,
        protect=True,
        retain_on_delete=True,
        transforms=[allow],
        hooks=pulumi.ResourceHookBinding(after_create=[seen]),
        replacement_trigger="first",
    ),
)
found = buildpipeline.get_cluster_output(name="Linux", opts=pulumi.InvokeOutputOptions(provider=second))
pulumi.export("found", found.id)
farm = `,
    ],
  ],
  go: [
    "main.go",
    ["import (\n", 'import (\n\t"context"\n\n'],
    [
      "\tgeneration := ",
      `	second, err := buildpipeline.NewProvider(ctx, "second", &buildpipeline.ProviderArgs{
		Organization: pulumi.String("${organization}"),
		BaseUrl:      pulumi.String("${url}"),
	})
	if err != nil {
		return err
	}
	allow := func(_ context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
		if args.Type != "buildpipeline:index:AgentToken" {
			return nil
		}
		args.Props["allowedIpAddresses"] = pulumi.ToStringArray([]string{"10.0.0.0/8"})
		return &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
	}
	seen, err := ctx.RegisterResourceHook("seen", func(args *pulumi.ResourceHookArgs) error {
		return ctx.Log.Info("hook of "+args.Name, nil)
	}, nil)
	if err != nil {
		return err
	}
	_, err = buildpipeline.NewRotatingAgentToken(ctx, "guarded", &buildpipeline.RotatingAgentTokenArgs{
		ClusterId:   linux.ID(),
		Description: pulumi.String("Guarded"),
		Generation:  pulumi.Int(2),
	}, pulumi.Provider(second), pulumi.Protect(true), pulumi.RetainOnDelete(true), pulumi.Transforms([]pulumi.ResourceTransform{allow}),
		pulumi.ResourceHooks(&pulumi.ResourceHookBinding{AfterCreate: []*pulumi.ResourceHook{seen}}),
		pulumi.ReplacementTrigger(pulumi.String("first")))
	if err != nil {
		return err
	}
	found := buildpipeline.LookupClusterOutput(ctx, buildpipeline.LookupClusterOutputArgs{Name: pulumi.String("Linux")}, pulumi.Provider(second))
	ctx.Export("found", found.Id())
	generation := `,
    ],
  ],
});
