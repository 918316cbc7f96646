import pulumi
import pulumi_buildpipeline as buildpipeline

linux = buildpipeline.Cluster("linux", name="Linux")
storefront = buildpipeline.Pipeline(
    "storefront",
    name="Storefront",
    repository="git@github.com:acme/storefront.git",
    cluster_id=linux.id,
    default_branch="main",
    cancel_running_branch_builds=True,
    provider_settings={"triggerMode": "code"},
)
buildpipeline.PipelineSchedule(
    "nightly",
    pipeline_id=storefront.id,
    label="Nightly",
    cronline="0 3 * * *",
    message="Nightly build",
)

# The API never returns the value. State keeps it encrypted.
buildpipeline.ClusterSecret(
    "deploy-key",
    cluster_id=linux.id,
    key="DEPLOY_KEY",
    value=pulumi.Config().require_secret("deployKey"),
)

# One team owns all of it.
platform = buildpipeline.Team("platform", name="Platform")
unit = buildpipeline.Suite("unit", name="Unit tests", default_branch="main")
buildpipeline.ClusterMaintainer("platform-linux", cluster_id=linux.id, team_id=platform.id)
buildpipeline.TeamPipeline(
    "platform-storefront",
    team_id=platform.id,
    pipeline_id=storefront.id,
    access_level="manage_build_and_read",
)
buildpipeline.TeamSuite(
    "platform-unit",
    team_id=platform.id,
    suite_id=unit.id,
    access_level=["read", "edit"],
)
buildpipeline.TeamMember(
    "ada",
    team_id=platform.id,
    user_id=pulumi.Config().require("userId"),
    role="maintainer",
)
