package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"github.com/your-organization/pulumi-buildpipeline/sdk/go/buildpipeline"
)

func main() {
	pulumi.Run(delivery)
}

func delivery(ctx *pulumi.Context) error {
	linux, err := buildpipeline.NewCluster(ctx, "linux", &buildpipeline.ClusterArgs{
		Name: pulumi.String("Linux"),
	})
	if err != nil {
		return err
	}
	storefront, err := buildpipeline.NewPipeline(ctx, "storefront", &buildpipeline.PipelineArgs{
		Name:                      pulumi.String("Storefront"),
		Repository:                pulumi.String("git@github.com:acme/storefront.git"),
		ClusterId:                 linux.ID(),
		DefaultBranch:             pulumi.String("main"),
		CancelRunningBranchBuilds: pulumi.Bool(true),
		ProviderSettings:          pulumi.ToMap(map[string]any{"triggerMode": "code"}),
	})
	if err != nil {
		return err
	}
	if _, err := buildpipeline.NewPipelineSchedule(ctx, "nightly", &buildpipeline.PipelineScheduleArgs{
		PipelineId: storefront.ID(),
		Label:      pulumi.String("Nightly"),
		Cronline:   pulumi.String("0 3 * * *"),
		Message:    pulumi.String("Nightly build"),
	}); err != nil {
		return err
	}

	// The API never returns the value. State keeps it encrypted.
	if _, err := buildpipeline.NewClusterSecret(ctx, "deploy-key", &buildpipeline.ClusterSecretArgs{
		ClusterId: linux.ID(),
		Key:       pulumi.String("DEPLOY_KEY"),
		Value:     config.RequireSecret(ctx, "deployKey"),
	}); err != nil {
		return err
	}

	// One team owns all of it.
	platform, err := buildpipeline.NewTeam(ctx, "platform", &buildpipeline.TeamArgs{
		Name: pulumi.String("Platform"),
	})
	if err != nil {
		return err
	}
	unit, err := buildpipeline.NewSuite(ctx, "unit", &buildpipeline.SuiteArgs{
		Name:          pulumi.String("Unit tests"),
		DefaultBranch: pulumi.String("main"),
	})
	if err != nil {
		return err
	}
	if _, err := buildpipeline.NewClusterMaintainer(ctx, "platform-linux", &buildpipeline.ClusterMaintainerArgs{
		ClusterId: linux.ID(),
		TeamId:    platform.ID(),
	}); err != nil {
		return err
	}
	if _, err := buildpipeline.NewTeamPipeline(ctx, "platform-storefront", &buildpipeline.TeamPipelineArgs{
		TeamId:      platform.ID(),
		PipelineId:  storefront.ID(),
		AccessLevel: pulumi.String("manage_build_and_read"),
	}); err != nil {
		return err
	}
	if _, err := buildpipeline.NewTeamSuite(ctx, "platform-unit", &buildpipeline.TeamSuiteArgs{
		TeamId:      platform.ID(),
		SuiteId:     unit.ID(),
		AccessLevel: pulumi.ToStringArray([]string{"read", "edit"}),
	}); err != nil {
		return err
	}
	if _, err := buildpipeline.NewTeamMember(ctx, "ada", &buildpipeline.TeamMemberArgs{
		TeamId: platform.ID(),
		UserId: pulumi.String(config.Require(ctx, "userId")),
		Role:   pulumi.String("maintainer"),
	}); err != nil {
		return err
	}
	return nil
}
