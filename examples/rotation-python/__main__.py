import pulumi
import pulumi_buildpipeline as buildpipeline

linux = buildpipeline.Cluster("linux", name="Linux")
farm = buildpipeline.RotatingAgentToken(
    "farm",
    cluster_id=linux.id,
    description="Agents",
    generation=pulumi.Config().require_int("tokenGeneration"),
)
pulumi.export("agentToken", farm.token)
