"""The organization of the quickstart, in Python.

`pulumi install` writes the module pulumi_buildpipeline into sdks/, from the plugin's schema.
"""

import signal

import pulumi
import pulumi_buildpipeline as buildpipeline

# Pulumi interrupts the program after an error. Without this line, Python prints a traceback for that.
signal.signal(signal.SIGINT, signal.SIG_DFL)

# Two clusters: machines that build, and machines that may deploy.
linux = buildpipeline.Cluster(
    "linux", name="Linux", description="Builds and tests", emoji=":penguin:", color="#14cc80"
)
production = buildpipeline.Cluster(
    "production", name="Production", description="Deployments only", emoji=":rocket:", color="#ff5d2b"
)

small = buildpipeline.Queue(
    "small", cluster_id=linux.id, key="small", description="2 cores, for most jobs"
)
buildpipeline.Queue(
    "large", cluster_id=linux.id, key="large", description="16 cores, for release builds"
)
buildpipeline.Queue(
    "deploy",
    cluster_id=production.id,
    key="deploy",
    description="One deployment at a time",
    dispatch_paused=True,
    dispatch_paused_note="Paused until the first release",
)

# Agents that name no queue take jobs from this one.
buildpipeline.ClusterDefaultQueue("linux-default", cluster_id=linux.id, queue_id=small.id)

# The API returns the secret of a token once. The state keeps it, encrypted.
builders = buildpipeline.AgentToken(
    "builders", cluster_id=linux.id, description="Agents of the build farm"
)
buildpipeline.AgentToken(
    "deployers",
    cluster_id=production.id,
    description="Agents in the deployment network",
    allowed_ip_addresses=["10.20.0.0/16", "192.0.2.7"],
    triggers={"rotated": "2026-11"},
)

buildpipeline.PipelineTemplate(
    "node-service",
    name="Node service",
    description="Test and package a Node service",
    configuration={
        "steps": [
            {"label": ":node: Test", "command": "npm ci && npm test", "agents": {"queue": "small"}},
            "wait",
            {"label": ":package: Package", "command": "npm pack", "agents": {"queue": "large"}},
        ]
    },
    available=True,
)

# The jobs of its builds wait in the queue that the step names. Without `on_delete`, a deletion archives the pipeline.
shop = buildpipeline.Pipeline(
    "web-shop",
    name="Web shop",
    repository="git@github.com:acme/web-shop.git",
    cluster_id=linux.id,
    configuration={
        "steps": [{"label": ":hammer: Test", "command": "make test", "agents": {"queue": "small"}}]
    },
    default_branch="main",
    tags=["team:web"],
    on_delete="delete",
)
buildpipeline.PipelineSchedule(
    "nightly",
    pipeline_id=shop.id,
    label="Nightly",
    cronline="0 3 * * * Europe/Berlin",
    env={"FULL": "true"},
)

platform = buildpipeline.Team(
    "platform",
    name="Platform",
    description="Owns the build machines",
    default_member_role="maintainer",
    members_can_create_pipelines=True,
)
buildpipeline.Team("everyone", name="Everyone", is_default_team=True)

unit_tests = buildpipeline.Suite(
    "unit-tests",
    name="Unit tests",
    default_branch="main",
    team_ids=[platform.id],
    emoji=":test_tube:",
)

pulumi.export("clusterIds", {"linux": linux.id, "production": production.id})
pulumi.export("agentToken", builders.token)
pulumi.export("suiteApiToken", unit_tests.api_token)
