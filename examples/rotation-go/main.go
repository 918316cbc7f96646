package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"github.com/your-organization/pulumi-buildpipeline/sdk/go/buildpipeline"
)

func main() {
	pulumi.Run(rotation)
}

func rotation(ctx *pulumi.Context) error {
	linux, err := buildpipeline.NewCluster(ctx, "linux", &buildpipeline.ClusterArgs{Name: pulumi.String("Linux")})
	if err != nil {
		return err
	}
	generation := config.New(ctx, "").RequireInt("tokenGeneration")
	farm, err := buildpipeline.NewRotatingAgentToken(ctx, "farm", &buildpipeline.RotatingAgentTokenArgs{
		ClusterId:   linux.ID(),
		Description: pulumi.String("Agents"),
		Generation:  pulumi.Int(generation),
	})
	if err != nil {
		return err
	}
	ctx.Export("agentToken", farm.Token)
	return nil
}
