import signal

import pulumi
import pulumi_buildpipeline as buildpipeline

# Pulumi interrupts the program after an error. Without this line, Python prints a traceback for that.
signal.signal(signal.SIGINT, signal.SIG_DFL)

linux = buildpipeline.Cluster("linux", name="Linux", description="Builds and tests")
small = buildpipeline.Queue(
    "small", cluster_id=linux.id, key="small", description="For most jobs"
)

# Agents that name no queue take jobs from this one.
buildpipeline.ClusterDefaultQueue("linux-default", cluster_id=linux.id, queue_id=small.id)

# The API returns the secret of a token once. The state keeps it, encrypted.
builders = buildpipeline.AgentToken(
    "builders", cluster_id=linux.id, description="Agents of the build farm"
)

# The jobs of a build wait in the queue that their step names.
storefront = buildpipeline.Pipeline(
    "storefront",
    name="Storefront",
    repository="git@github.com:acme/storefront.git",
    cluster_id=linux.id,
    configuration={"steps": [{"command": "make test", "agents": {"queue": "small"}}]},
    # While you try this. Without this line, a deletion archives the pipeline and keeps its builds.
    on_delete="delete",
)

pulumi.export("clusterId", linux.id)
pulumi.export("agentToken", builders.token)
pulumi.export("pipelineUrl", storefront.web_url)
