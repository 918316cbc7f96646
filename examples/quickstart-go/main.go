// The organization of the quickstart, in Go. `pulumi install` writes the SDK in sdks/ from the plugin's schema.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/your-organization/pulumi-buildpipeline/sdk/go/buildpipeline"
)

func main() {
	pulumi.Run(organization)
}

func organization(ctx *pulumi.Context) error {
	// Two clusters: machines that build, and machines that may deploy.
	linux, err := buildpipeline.NewCluster(ctx, "linux", &buildpipeline.ClusterArgs{
		Name:        pulumi.String("Linux"),
		Description: pulumi.String("Builds and tests"),
		Emoji:       pulumi.String(":penguin:"),
		Color:       pulumi.String("#14cc80"),
	})
	if err != nil {
		return err
	}
	production, err := buildpipeline.NewCluster(ctx, "production", &buildpipeline.ClusterArgs{
		Name:        pulumi.String("Production"),
		Description: pulumi.String("Deployments only"),
		Emoji:       pulumi.String(":rocket:"),
		Color:       pulumi.String("#ff5d2b"),
	})
	if err != nil {
		return err
	}

	small, err := buildpipeline.NewQueue(ctx, "small", &buildpipeline.QueueArgs{
		ClusterId:   linux.ID(),
		Key:         pulumi.String("small"),
		Description: pulumi.String("2 cores, for most jobs"),
	})
	if err != nil {
		return err
	}
	if _, err := buildpipeline.NewQueue(ctx, "large", &buildpipeline.QueueArgs{
		ClusterId:   linux.ID(),
		Key:         pulumi.String("large"),
		Description: pulumi.String("16 cores, for release builds"),
	}); err != nil {
		return err
	}
	if _, err := buildpipeline.NewQueue(ctx, "deploy", &buildpipeline.QueueArgs{
		ClusterId:          production.ID(),
		Key:                pulumi.String("deploy"),
		Description:        pulumi.String("One deployment at a time"),
		DispatchPaused:     pulumi.Bool(true),
		DispatchPausedNote: pulumi.String("Paused until the first release"),
	}); err != nil {
		return err
	}

	// Agents that name no queue take jobs from this one.
	if _, err := buildpipeline.NewClusterDefaultQueue(ctx, "linux-default", &buildpipeline.ClusterDefaultQueueArgs{
		ClusterId: linux.ID(),
		QueueId:   small.ID(),
	}); err != nil {
		return err
	}

	// The API returns the secret of a token once. The state keeps it, encrypted.
	builders, err := buildpipeline.NewAgentToken(ctx, "builders", &buildpipeline.AgentTokenArgs{
		ClusterId:   linux.ID(),
		Description: pulumi.String("Agents of the build farm"),
	})
	if err != nil {
		return err
	}
	if _, err := buildpipeline.NewAgentToken(ctx, "deployers", &buildpipeline.AgentTokenArgs{
		ClusterId:          production.ID(),
		Description:        pulumi.String("Agents in the deployment network"),
		AllowedIpAddresses: pulumi.ToStringArray([]string{"10.20.0.0/16", "192.0.2.7"}),
		Triggers:           pulumi.ToMap(map[string]any{"rotated": "2026-11"}),
	}); err != nil {
		return err
	}

	if _, err := buildpipeline.NewPipelineTemplate(ctx, "node-service", &buildpipeline.PipelineTemplateArgs{
		Name:        pulumi.String("Node service"),
		Description: pulumi.String("Test and package a Node service"),
		Configuration: pulumi.Any(map[string]any{"steps": []any{
			map[string]any{
				"label":   ":node: Test",
				"command": "npm ci && npm test",
				"agents":  map[string]any{"queue": "small"},
			},
			"wait",
			map[string]any{
				"label":   ":package: Package",
				"command": "npm pack",
				"agents":  map[string]any{"queue": "large"},
			},
		}}),
		Available: pulumi.Bool(true),
	}); err != nil {
		return err
	}

	// The jobs of its builds wait in the queue that the step names. Without OnDelete, a deletion archives the pipeline.
	shop, err := buildpipeline.NewPipeline(ctx, "web-shop", &buildpipeline.PipelineArgs{
		Name:       pulumi.String("Web shop"),
		Repository: pulumi.String("git@github.com:acme/web-shop.git"),
		ClusterId:  linux.ID(),
		Configuration: pulumi.Any(map[string]any{"steps": []any{
			map[string]any{
				"label":   ":hammer: Test",
				"command": "make test",
				"agents":  map[string]any{"queue": "small"},
			},
		}}),
		DefaultBranch: pulumi.String("main"),
		Tags:          pulumi.ToStringArray([]string{"team:web"}),
		OnDelete:      pulumi.String("delete"),
	})
	if err != nil {
		return err
	}
	if _, err := buildpipeline.NewPipelineSchedule(ctx, "nightly", &buildpipeline.PipelineScheduleArgs{
		PipelineId: shop.ID(),
		Label:      pulumi.String("Nightly"),
		Cronline:   pulumi.String("0 3 * * * Europe/Berlin"),
		Env:        pulumi.ToStringMap(map[string]string{"FULL": "true"}),
	}); err != nil {
		return err
	}

	platform, err := buildpipeline.NewTeam(ctx, "platform", &buildpipeline.TeamArgs{
		Name:                      pulumi.String("Platform"),
		Description:               pulumi.String("Owns the build machines"),
		DefaultMemberRole:         buildpipeline.TeamDefaultMemberRoleMaintainer,
		MembersCanCreatePipelines: pulumi.Bool(true),
	})
	if err != nil {
		return err
	}
	if _, err := buildpipeline.NewTeam(ctx, "everyone", &buildpipeline.TeamArgs{
		Name:          pulumi.String("Everyone"),
		IsDefaultTeam: pulumi.Bool(true),
	}); err != nil {
		return err
	}

	unitTests, err := buildpipeline.NewSuite(ctx, "unit-tests", &buildpipeline.SuiteArgs{
		Name:          pulumi.String("Unit tests"),
		DefaultBranch: pulumi.String("main"),
		TeamIds:       pulumi.StringArray{platform.ID()},
		Emoji:         pulumi.String(":test_tube:"),
	})
	if err != nil {
		return err
	}

	ctx.Export("clusterIds", pulumi.Map{"linux": linux.ID(), "production": production.ID()})
	ctx.Export("agentToken", builders.Token)
	ctx.Export("suiteApiToken", unitTests.ApiToken)
	return nil
}
