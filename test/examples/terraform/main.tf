terraform {
  required_providers {
    buildkite = {
      source  = "buildkite/buildkite"
      version = "~> 1.38"
    }
  }
}

provider "buildkite" {
  organization = "acme"
}

resource "buildkite_team" "platform" {
  name                         = "Platform"
  description                  = "Runs the agents"
  privacy                      = "VISIBLE"
  default_team                 = false
  default_member_role          = "MAINTAINER"
  members_can_create_pipelines = true
}

resource "buildkite_team" "web" {
  name                         = "Web"
  privacy                      = "VISIBLE"
  default_team                 = false
  default_member_role          = "MEMBER"
  members_can_create_pipelines = false
}

resource "buildkite_team" "security" {
  name                         = "Security"
  privacy                      = "SECRET"
  default_team                 = false
  default_member_role          = "MEMBER"
  members_can_create_pipelines = false
}

resource "buildkite_cluster" "linux" {
  name        = "Linux"
  description = "Builds and deployments"
  emoji       = ":linux:"
  color       = "#14cc80"
}

resource "buildkite_cluster_queue" "default" {
  cluster_id  = buildkite_cluster.linux.id
  key         = "default"
  description = "Everything without a queue"
}

resource "buildkite_pipeline" "storefront" {
  name                                     = "Storefront"
  repository                               = "git@github.com:acme/storefront.git"
  cluster_id                               = buildkite_cluster.linux.id
  slug                                     = "shop"
  description                              = "The shop's web site"
  default_branch                           = "main"
  branch_configuration                     = "main release/*"
  default_timeout_in_minutes               = 30
  maximum_timeout_in_minutes               = 120
  skip_intermediate_builds                 = true
  skip_intermediate_builds_branch_filter   = "!main"
  cancel_intermediate_builds               = true
  cancel_intermediate_builds_branch_filter = "!main"
  tags                                     = ["web", "tier-1"]
  steps                                    = <<-YAML
    steps:
      - label: ":pipeline:"
        command: buildkite-agent pipeline upload
  YAML

  provider_settings = {
    trigger_mode                                  = "code"
    build_pull_requests                           = true
    skip_pull_request_builds_for_existing_commits = true
    build_tags                                    = true
  }
}

resource "buildkite_pipeline" "api" {
  name           = "API"
  repository     = "git@github.com:acme/api.git"
  cluster_id     = buildkite_cluster.linux.id
  default_branch = "main"
  emoji          = ":gear:"
  color          = "#5b21b6"
  allow_rebuilds = false
  steps          = <<-YAML
    steps:
      - command: make test
        key: test
      - wait: ~
      - command: make deploy
        if: build.branch == "main"
  YAML
}

resource "buildkite_pipeline" "audit" {
  name       = "Security / audit"
  repository = "https://github.com/acme/audit.git"
  cluster_id = buildkite_cluster.linux.id
  visibility = "PRIVATE"
  steps      = <<-YAML
    steps:
      - command: ./audit.sh
  YAML
}

resource "buildkite_pipeline_schedule" "storefront_nightly" {
  pipeline_id = buildkite_pipeline.storefront.id
  label       = "Nightly"
  cronline    = "0 3 * * * Europe/Berlin"
  branch      = "main"
  message     = "Nightly build"
  env = {
    FULL    = "true"
    OPTIONS = "retries=2"
  }
}

resource "buildkite_pipeline_schedule" "api_weekly" {
  pipeline_id = buildkite_pipeline.api.id
  label       = "Weekly"
  cronline    = "@weekly"
  branch      = "main"
  commit      = "HEAD"
  enabled     = false
}

resource "buildkite_pipeline_schedule" "audit_daily" {
  pipeline_id = buildkite_pipeline.audit.id
  label       = "Daily"
  cronline    = "@daily"
  branch      = "main"
}

resource "buildkite_pipeline_team" "storefront_web" {
  pipeline_id  = buildkite_pipeline.storefront.id
  team_id      = buildkite_team.web.id
  access_level = "MANAGE_BUILD_AND_READ"
}

resource "buildkite_pipeline_team" "storefront_platform" {
  pipeline_id  = buildkite_pipeline.storefront.id
  team_id      = buildkite_team.platform.id
  access_level = "BUILD_AND_READ"
}

resource "buildkite_pipeline_team" "api_platform" {
  pipeline_id  = buildkite_pipeline.api.id
  team_id      = buildkite_team.platform.id
  access_level = "MANAGE_BUILD_AND_READ"
}

resource "buildkite_pipeline_team" "audit_security" {
  pipeline_id  = buildkite_pipeline.audit.id
  team_id      = buildkite_team.security.id
  access_level = "READ_ONLY"
}

resource "buildkite_pipeline_webhook" "api" {
  pipeline_id = buildkite_pipeline.api.id
  repository  = buildkite_pipeline.api.repository
}

resource "buildkite_organization_rule" "storefront_deploys_api" {
  type        = "pipeline.trigger_build.pipeline"
  description = "The storefront deploys the API it was tested with"
  value = jsonencode({
    source_pipeline = buildkite_pipeline.storefront.uuid
    target_pipeline = buildkite_pipeline.api.uuid
    conditions      = ["source.build.branch == 'main'"]
  })
}

resource "buildkite_organization_rule" "audit_reads_api" {
  type = "pipeline.artifacts_read.pipeline"
  value = jsonencode({
    source_pipeline = buildkite_pipeline.audit.uuid
    target_pipeline = buildkite_pipeline.api.uuid
  })
}

resource "buildkite_notification_service" "deployments" {
  provider_type        = "webhook"
  description          = "Finished builds for the deployment service"
  branch_configuration = "main release/*"
  enabled              = true
  scope                = "all"

  webhook = {
    url        = "https://deployments.example.com/buildkite"
    token_mode = "signature"
    events     = ["build.finished"]
  }
}

resource "buildkite_organization" "settings" {
  allowed_api_ip_addresses = ["192.0.2.0/24", "198.51.100.7/32"]
}
