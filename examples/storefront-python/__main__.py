"""A team with its pipeline, in Python.

`pulumi install` writes the module pulumi_buildpipeline into sdks/, from the plugin's schema.
"""

import signal

import pulumi
import pulumi_buildpipeline as buildpipeline

# Pulumi interrupts the program after an error. Without this line, Python prints a traceback for that.
signal.signal(signal.SIGINT, signal.SIG_DFL)

linux = buildpipeline.Cluster("linux", name="Linux")

# A team, its people, and the cluster that it looks after.
shop = buildpipeline.Team("shop", name="Shop")
buildpipeline.TeamMember(
    "ben", team_id=shop.id, user_id="f1df70ad-95d1-59d2-a823-b920381c047d", role="maintainer"
)
buildpipeline.ClusterMaintainer("shop-linux", cluster_id=linux.id, team_id=shop.id)

# The pipeline reads its steps from the repository that it builds.
storefront = buildpipeline.Pipeline(
    "storefront",
    name="Storefront",
    repository="git@github.com:acme/storefront.git",
    cluster_id=linux.id,
    default_branch="main",
    skip_queued_branch_builds=True,
    # Deletes its builds and logs too. Leave this out in production, where a deletion archives the pipeline.
    on_delete="delete",
)
buildpipeline.PipelineSchedule(
    "nightly",
    pipeline_id=storefront.id,
    cronline="0 3 * * * Europe/Berlin",
    label="Nightly",
    env={"FULL": "true"},
)
buildpipeline.TeamPipeline(
    "shop-storefront", team_id=shop.id, pipeline_id=storefront.id, access_level="build_and_read"
)

unit = buildpipeline.Suite("unit", name="Storefront unit tests", default_branch="main")
buildpipeline.TeamSuite(
    "shop-unit", team_id=shop.id, suite_id=unit.id, access_level=["read", "edit"]
)

# What holds for the whole organization: only what stands here is managed.
buildpipeline.PipelineSettings(
    "pipelines", default_cluster_id=linux.id, maximum_timeout_in_minutes=240
)
buildpipeline.ApiSettings("api", restrict_user_api_token_creation=True)

# Only this pipeline's builds of one branch may read it.
buildpipeline.ClusterSecret(
    "deploy-key",
    cluster_id=linux.id,
    key="DEPLOY_KEY",
    value=pulumi.Config().require_secret("deployKey"),
    policy=[{"pipeline_slug": "storefront", "build_branch": "main"}],
)

# A dashboard hears when builds of this pipeline end.
buildpipeline.NotificationService(
    "dashboard",
    provider="webhook",
    scope="some_projects",
    scope_ids=[storefront.id],
    settings={"url": "https://dashboard.example.com/builds", "events": ["build.finished"]},
    description="Dashboard of the storefront",
)

# Its builds of the main branch, and no others, may trigger the deployment.
deploy = buildpipeline.Pipeline(
    "deploy",
    name="Deploy",
    repository="git@github.com:acme/deploy.git",
    cluster_id=linux.id,
    on_delete="delete",
)
buildpipeline.OrganizationRule(
    "storefront-deploys",
    type="pipeline.trigger_build.pipeline",
    source_pipeline_id=storefront.id,
    target_pipeline_id=deploy.id,
    conditions=["source.build.branch == 'main'"],
)

pulumi.export("pipelineSlug", storefront.slug)
