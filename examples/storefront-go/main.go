// A team with its pipeline, in Go. `pulumi install` writes the SDK in sdks/ from the plugin's schema.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"github.com/your-organization/pulumi-buildpipeline/sdk/go/buildpipeline"
)

func main() {
	pulumi.Run(storefrontOfShop)
}

func storefrontOfShop(ctx *pulumi.Context) error {
	linux, err := buildpipeline.NewCluster(ctx, "linux", &buildpipeline.ClusterArgs{
		Name: pulumi.String("Linux"),
	})
	if err != nil {
		return err
	}

	// A team, its people, and the cluster that it looks after.
	shop, err := buildpipeline.NewTeam(ctx, "shop", &buildpipeline.TeamArgs{
		Name: pulumi.String("Shop"),
	})
	if err != nil {
		return err
	}
	if _, err := buildpipeline.NewTeamMember(ctx, "ben", &buildpipeline.TeamMemberArgs{
		TeamId: shop.ID(),
		UserId: pulumi.String("f1df70ad-95d1-59d2-a823-b920381c047d"),
		Role:   buildpipeline.TeamMemberRoleMaintainer,
	}); err != nil {
		return err
	}
	if _, err := buildpipeline.NewClusterMaintainer(ctx, "shop-linux", &buildpipeline.ClusterMaintainerArgs{
		ClusterId: linux.ID(),
		TeamId:    shop.ID(),
	}); err != nil {
		return err
	}

	// The pipeline reads its steps from the repository that it builds.
	storefront, err := buildpipeline.NewPipeline(ctx, "storefront", &buildpipeline.PipelineArgs{
		Name:                   pulumi.String("Storefront"),
		Repository:             pulumi.String("git@github.com:acme/storefront.git"),
		ClusterId:              linux.ID(),
		DefaultBranch:          pulumi.String("main"),
		SkipQueuedBranchBuilds: pulumi.Bool(true),
		// Deletes its builds and logs too. Leave this out in production, where a deletion archives the pipeline.
		OnDelete: pulumi.String("delete"),
	})
	if err != nil {
		return err
	}
	if _, err := buildpipeline.NewPipelineSchedule(ctx, "nightly", &buildpipeline.PipelineScheduleArgs{
		PipelineId: storefront.ID(),
		Cronline:   pulumi.String("0 3 * * * Europe/Berlin"),
		Label:      pulumi.String("Nightly"),
		Env:        pulumi.StringMap{"FULL": pulumi.String("true")},
	}); err != nil {
		return err
	}
	if _, err := buildpipeline.NewTeamPipeline(ctx, "shop-storefront", &buildpipeline.TeamPipelineArgs{
		TeamId:      shop.ID(),
		PipelineId:  storefront.ID(),
		AccessLevel: pulumi.String("build_and_read"),
	}); err != nil {
		return err
	}

	unit, err := buildpipeline.NewSuite(ctx, "unit", &buildpipeline.SuiteArgs{
		Name:          pulumi.String("Storefront unit tests"),
		DefaultBranch: pulumi.String("main"),
	})
	if err != nil {
		return err
	}
	if _, err := buildpipeline.NewTeamSuite(ctx, "shop-unit", &buildpipeline.TeamSuiteArgs{
		TeamId:      shop.ID(),
		SuiteId:     unit.ID(),
		AccessLevel: pulumi.ToStringArray([]string{"read", "edit"}),
	}); err != nil {
		return err
	}

	// What holds for the whole organization: only what stands here is managed.
	if _, err := buildpipeline.NewPipelineSettings(ctx, "pipelines", &buildpipeline.PipelineSettingsArgs{
		DefaultClusterId:        linux.ID(),
		MaximumTimeoutInMinutes: pulumi.Int(240),
	}); err != nil {
		return err
	}
	if _, err := buildpipeline.NewApiSettings(ctx, "api", &buildpipeline.ApiSettingsArgs{
		RestrictUserApiTokenCreation: pulumi.Bool(true),
	}); err != nil {
		return err
	}

	// Only this pipeline's builds of one branch may read it.
	if _, err := buildpipeline.NewClusterSecret(ctx, "deploy-key", &buildpipeline.ClusterSecretArgs{
		ClusterId: linux.ID(),
		Key:       pulumi.String("DEPLOY_KEY"),
		Value:     config.New(ctx, "").RequireSecret("deployKey"),
		Policy:    pulumi.Any([]any{map[string]any{"pipeline_slug": "storefront", "build_branch": "main"}}),
	}); err != nil {
		return err
	}

	// A dashboard hears when builds of this pipeline end.
	if _, err := buildpipeline.NewNotificationService(ctx, "dashboard", &buildpipeline.NotificationServiceArgs{
		Provider: pulumi.String("webhook"),
		Scope:    pulumi.String("some_projects"),
		ScopeIds: pulumi.StringArray{storefront.ID()},
		Settings: pulumi.Map{
			"url":    pulumi.String("https://dashboard.example.com/builds"),
			"events": pulumi.ToStringArray([]string{"build.finished"}),
		},
		Description: pulumi.String("Dashboard of the storefront"),
	}); err != nil {
		return err
	}

	// Its builds of the main branch, and no others, may trigger the deployment.
	deploy, err := buildpipeline.NewPipeline(ctx, "deploy", &buildpipeline.PipelineArgs{
		Name:       pulumi.String("Deploy"),
		Repository: pulumi.String("git@github.com:acme/deploy.git"),
		ClusterId:  linux.ID(),
		OnDelete:   pulumi.String("delete"),
	})
	if err != nil {
		return err
	}
	if _, err := buildpipeline.NewOrganizationRule(ctx, "storefront-deploys", &buildpipeline.OrganizationRuleArgs{
		Type:             pulumi.String("pipeline.trigger_build.pipeline"),
		SourcePipelineId: storefront.ID(),
		TargetPipelineId: deploy.ID(),
		Conditions:       pulumi.ToStringArray([]string{"source.build.branch == 'main'"}),
	}); err != nil {
		return err
	}

	ctx.Export("pipelineSlug", storefront.Slug)
	return nil
}
