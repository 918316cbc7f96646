// The Go module go-buildkite against the emulator: every operation of the table that it has.
package clients

import (
	"context"
	"errors"
	"net/http"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/buildkite/go-buildkite/v4"
)

const (
	pipeline = "storefront"
	commit   = "0123456789abcdef0123456789abcdef01234567"
	nobody   = "99999999-9999-4999-8999-999999999999"
)

var organization = os.Getenv("BUILDPIPELINE_ORGANIZATION")

func connect(t *testing.T, token string) *buildkite.Client {
	t.Helper()
	client, err := buildkite.NewClient(
		buildkite.WithBaseURL(os.Getenv("BUILDPIPELINE_BASE_URL")),
		buildkite.WithTokenAuth(os.Getenv(token)),
	)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// session is a client of one test, with what every test does to an answer.
type session struct {
	*buildkite.Client
	t *testing.T
}

func open(t *testing.T) session {
	return session{connect(t, "BUILDPIPELINE_ACCESS_TOKEN"), t}
}

// worked fails the test unless the call succeeded.
func (s session) worked(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// equal fails the test unless both are the same.
func equal[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("got %v, want %v", got, want)
	}
}

// refused fails the test unless the service refused the call with that status. It returns the service's message.
func refused(t *testing.T, err error, status int) string {
	t.Helper()
	var response *buildkite.ErrorResponse
	if !errors.As(err, &response) {
		t.Fatalf("got %v, want an answer of %d", err, status)
	}
	equal(t, response.Response.StatusCode, status)
	return response.Message
}

func (s session) cluster(name string) buildkite.Cluster {
	s.t.Helper()
	cluster, _, err := s.Clusters.Create(context.Background(), organization, buildkite.ClusterCreate{
		Name: name, Description: "Builds", Emoji: ":penguin:", Color: "#14cc80",
	})
	s.worked(err)
	return cluster
}

// Section 4.1.
func TestClusters(t *testing.T) {
	s, ctx := open(t), context.Background()
	created := s.cluster("Linux")
	equal(t, created.Color, "#14cc80")
	got, _, err := s.Clusters.Get(ctx, organization, created.ID)
	s.worked(err)
	equal(t, got.Name, "Linux")
	equal(t, got.CreatedBy.Name != "", true)

	queue, _, err := s.ClusterQueues.Create(ctx, organization, created.ID, buildkite.ClusterQueueCreate{Key: "small"})
	s.worked(err)
	updated, _, err := s.Clusters.Update(ctx, organization, created.ID, buildkite.ClusterUpdate{DefaultQueueID: queue.ID})
	s.worked(err)
	equal(t, updated.DefaultQueueID, queue.ID)
	equal(t, updated.Description, "Builds")

	list, _, err := s.Clusters.List(ctx, organization, nil)
	s.worked(err)
	equal(t, slices.ContainsFunc(list, func(c buildkite.Cluster) bool { return c.ID == created.ID }), true)

	unneeded := s.cluster("Unneeded")
	_, err = s.Clusters.Delete(ctx, organization, unneeded.ID)
	s.worked(err)
	_, _, err = s.Clusters.Get(ctx, organization, unneeded.ID)
	refused(t, err, http.StatusNotFound)
	_, _, err = s.Clusters.Create(ctx, organization, buildkite.ClusterCreate{})
	refused(t, err, http.StatusUnprocessableEntity)
}

// Section 4.2.
func TestQueues(t *testing.T) {
	s, ctx := open(t), context.Background()
	cluster := s.cluster("Queues").ID
	created, _, err := s.ClusterQueues.Create(ctx, organization, cluster,
		buildkite.ClusterQueueCreate{Key: "large", Description: "16 cores"})
	s.worked(err)
	_, _, err = s.ClusterQueues.Create(ctx, organization, cluster, buildkite.ClusterQueueCreate{Key: "large"})
	refused(t, err, http.StatusUnprocessableEntity)

	updated, _, err := s.ClusterQueues.Update(ctx, organization, cluster, created.ID,
		buildkite.ClusterQueueUpdate{Description: "32 cores"})
	s.worked(err)
	equal(t, updated.Description, "32 cores")

	paused, _, err := s.ClusterQueues.Pause(ctx, organization, cluster, created.ID,
		buildkite.ClusterQueuePause{Note: "Maintenance"})
	s.worked(err)
	equal(t, paused.DispatchPaused, true)
	equal(t, paused.DispatchPausedNote, "Maintenance")
	equal(t, paused.DispatchPausedBy != nil && paused.DispatchPausedAt != nil, true)
	_, err = s.ClusterQueues.Resume(ctx, organization, cluster, created.ID)
	s.worked(err)
	got, _, err := s.ClusterQueues.Get(ctx, organization, cluster, created.ID)
	s.worked(err)
	equal(t, got.DispatchPaused, false)

	list, _, err := s.ClusterQueues.List(ctx, organization, cluster, nil)
	s.worked(err)
	equal(t, len(list), 1)
	_, err = s.ClusterQueues.Delete(ctx, organization, cluster, created.ID)
	s.worked(err)
	_, _, err = s.ClusterQueues.Get(ctx, organization, cluster, created.ID)
	refused(t, err, http.StatusNotFound)
}

// Section 4.3.
func TestAgentTokens(t *testing.T) {
	s, ctx := open(t), context.Background()
	cluster := s.cluster("Tokens").ID
	created, _, err := s.ClusterTokens.Create(ctx, organization, cluster,
		buildkite.ClusterTokenCreateUpdate{Description: "Farm", AllowedIPAddresses: "10.20.0.0/16"})
	s.worked(err)
	equal(t, created.Token != "", true)
	got, _, err := s.ClusterTokens.Get(ctx, organization, cluster, created.ID)
	s.worked(err)
	equal(t, got.Token, "")
	equal(t, got.AllowedIPAddresses, "10.20.0.0/16")

	updated, _, err := s.ClusterTokens.Update(ctx, organization, cluster, created.ID,
		buildkite.ClusterTokenCreateUpdate{Description: "Old farm"})
	s.worked(err)
	equal(t, updated.Description, "Old farm")
	list, _, err := s.ClusterTokens.List(ctx, organization, cluster, nil)
	s.worked(err)
	equal(t, len(list), 1)
	_, err = s.ClusterTokens.Delete(ctx, organization, cluster, created.ID)
	s.worked(err)
	_, _, err = s.ClusterTokens.Get(ctx, organization, cluster, created.ID)
	refused(t, err, http.StatusNotFound)
}

// Section 4.4.
func TestPipelineTemplates(t *testing.T) {
	s, ctx := open(t), context.Background()
	content := buildkite.PipelineTemplateCreateUpdate{
		Name: "Node service", Configuration: "steps:\n  - command: npm test\n", Available: true,
	}
	created, _, err := s.PipelineTemplates.Create(ctx, organization, content)
	s.worked(err)
	equal(t, created.Configuration, content.Configuration)
	content.Description, content.Available = "For services", false
	updated, _, err := s.PipelineTemplates.Update(ctx, organization, created.UUID, content)
	s.worked(err)
	equal(t, updated.Description, "For services")
	equal(t, updated.Available, false)
	got, _, err := s.PipelineTemplates.Get(ctx, organization, created.UUID)
	s.worked(err)
	equal(t, got.UpdatedAt != nil, true)
	list, _, err := s.PipelineTemplates.List(ctx, organization, nil)
	s.worked(err)
	equal(t, len(list), 1)
	_, err = s.PipelineTemplates.Delete(ctx, organization, created.UUID)
	s.worked(err)
	_, _, err = s.PipelineTemplates.Get(ctx, organization, created.UUID)
	refused(t, err, http.StatusNotFound)
}

// Section 4.5.
func TestTeams(t *testing.T) {
	s, ctx := open(t), context.Background()
	created, _, err := s.Teams.CreateTeam(ctx, organization, buildkite.CreateTeam{
		Name: "Platform", Description: "Owns machines", Privacy: "visible", DefaultMemberRole: "maintainer",
		MembersCanCreatePipelines: true,
	})
	s.worked(err)
	equal(t, created.Slug, "platform")
	// Only what changes: the rest of the text properties is left out of the body.
	updated, _, err := s.Teams.UpdateTeam(ctx, organization, created.ID, buildkite.CreateTeam{Name: "Platforms"})
	s.worked(err)
	equal(t, updated.Name, "Platforms")
	equal(t, updated.Description, "Owns machines")
	got, err := s.Teams.GetTeam(ctx, organization, created.ID)
	s.worked(err)
	equal(t, got.Privacy, "visible")
	list, _, err := s.Teams.List(ctx, organization, nil)
	s.worked(err)
	equal(t, len(list), 1)
	list, _, err = s.Teams.List(ctx, organization, &buildkite.TeamsListOptions{UserID: nobody})
	s.worked(err)
	equal(t, len(list), 0)
	_, err = s.Teams.DeleteTeam(ctx, organization, created.ID)
	s.worked(err)
	_, err = s.Teams.GetTeam(ctx, organization, created.ID)
	refused(t, err, http.StatusNotFound)
}

// Sections 4.6 and 4.7.
func TestSuitesAndRuns(t *testing.T) {
	s, ctx := open(t), context.Background()
	suites, _, err := s.TestSuites.List(ctx, organization, nil)
	s.worked(err)
	seeded := suites[0].Slug
	runs, _, err := s.TestRuns.List(ctx, organization, seeded, nil)
	s.worked(err)
	equal(t, len(runs) > 0, true)
	run, _, err := s.TestRuns.Get(ctx, organization, seeded, runs[0].ID)
	s.worked(err)
	equal(t, run.CommitSHA, runs[0].CommitSHA)

	team, _, err := s.Teams.CreateTeam(ctx, organization, buildkite.CreateTeam{
		Name: "Testers", Privacy: "visible", DefaultMemberRole: "member",
	})
	s.worked(err)
	created, _, err := s.TestSuites.Create(ctx, organization, buildkite.TestSuiteCreate{
		Name: "Unit tests", DefaultBranch: "main", ShowAPIToken: true, TeamUUIDs: []string{team.ID},
	})
	s.worked(err)
	equal(t, created.Slug, "unit-tests")
	updated, _, err := s.TestSuites.Update(ctx, organization, created.Slug,
		buildkite.TestSuite{Name: "Unit tests", DefaultBranch: "trunk"})
	s.worked(err)
	equal(t, updated.DefaultBranch, "trunk")
	got, _, err := s.TestSuites.Get(ctx, organization, created.Slug)
	s.worked(err)
	equal(t, got.ID, created.ID)
	_, err = s.TestSuites.Delete(ctx, organization, created.Slug)
	s.worked(err)
	_, _, err = s.TestSuites.Get(ctx, organization, created.Slug)
	refused(t, err, http.StatusNotFound)
	_, err = s.Teams.DeleteTeam(ctx, organization, team.ID)
	s.worked(err)
}

// Section 4.8.
func TestAgents(t *testing.T) {
	s, ctx := open(t), context.Background()
	list, _, err := s.Agents.List(ctx, organization, &buildkite.AgentListOptions{Name: "builder-1"})
	s.worked(err)
	equal(t, len(list), 1)
	got, _, err := s.Agents.Get(ctx, organization, list[0].ID)
	s.worked(err)
	equal(t, got.Hostname, "builder-1.internal")
	list, _, err = s.Agents.List(ctx, organization, &buildkite.AgentListOptions{Version: "0.0.1"})
	s.worked(err)
	equal(t, len(list), 0)
	list, _, err = s.Agents.List(ctx, organization, &buildkite.AgentListOptions{Name: "builder-2"})
	s.worked(err)
	_, err = s.Agents.Stop(ctx, organization, list[0].ID, true)
	s.worked(err)
}

// Section 4.9.
func TestOrganizationsAndMembers(t *testing.T) {
	s, ctx := open(t), context.Background()
	organizations, _, err := s.Organizations.List(ctx, nil)
	s.worked(err)
	equal(t, organizations[0].Slug, organization)
	got, _, err := s.Organizations.Get(ctx, organization)
	s.worked(err)
	equal(t, got.Name, "Acme")
	_, _, err = s.Organizations.Get(ctx, "other")
	refused(t, err, http.StatusNotFound)
	members, _, err := s.Members.List(ctx, organization, nil)
	s.worked(err)
	member, _, err := s.Members.Get(ctx, organization, members[0].UUID)
	s.worked(err)
	equal(t, member.Email, members[0].Email)
}

// The rules of an organization, the two pipelines that one of them joins, and their webhooks.
func TestPipelinesAndRules(t *testing.T) {
	s, ctx := open(t), context.Background()
	cluster := s.cluster("Rules").ID
	pipelines := []buildkite.Pipeline{}
	for _, name := range []string{"Rule source", "Rule target"} {
		created, _, err := s.Pipelines.Create(ctx, organization, buildkite.CreatePipeline{
			Name: name, Repository: "https://github.com/acme/rules.git", ClusterID: cluster, Configuration: "steps: []",
		})
		s.worked(err)
		got, _, err := s.Pipelines.Get(ctx, organization, created.Slug)
		s.worked(err)
		equal(t, got.ID, created.ID)
		_, err = s.Pipelines.AddWebhook(ctx, organization, created.Slug)
		s.worked(err)
		pipelines = append(pipelines, got)
	}
	source, target := pipelines[0], pipelines[1]
	rule := buildkite.RuleCreate{
		Type:  "pipeline.trigger_build.pipeline",
		Value: buildkite.RuleValue{SourcePipeline: source.Slug, TargetPipeline: target.ID},
	}
	created, _, err := s.Rules.Create(ctx, organization, rule)
	s.worked(err)
	equal(t, created.SourceUUID, source.ID)
	equal(t, created.TargetUUID, target.ID)
	equal(t, created.Action, "trigger_build")
	equal(t, created.CreatedBy.Email != "", true)
	got, _, err := s.Rules.Get(ctx, organization, created.UUID)
	s.worked(err)
	equal(t, got.CreatedAt.Time, created.CreatedAt.Time)
	list, _, err := s.Rules.List(ctx, organization, &buildkite.RulesListOptions{
		ListOptions: buildkite.ListOptions{PerPage: 100},
	})
	s.worked(err)
	equal(t, slices.ContainsFunc(list, func(r buildkite.Rule) bool { return r.UUID == created.UUID }), true)
	_, _, err = s.Rules.Create(ctx, organization, rule)
	refused(t, err, http.StatusUnprocessableEntity)
	_, err = s.Rules.Delete(ctx, organization, created.UUID)
	s.worked(err)
	_, _, err = s.Rules.Get(ctx, organization, created.UUID)
	refused(t, err, http.StatusNotFound)
	for _, one := range pipelines {
		_, err = s.Pipelines.Delete(ctx, organization, one.Slug)
		s.worked(err)
	}
}

// Section 4.10.
func TestAccessTokens(t *testing.T) {
	ctx := context.Background()
	readOnly, _, err := connect(t, "READ_ONLY_ACCESS_TOKEN").AccessTokens.Get(ctx)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, slices.Contains(readOnly.Scopes, "read_builds"), true)
	equal(t, slices.Contains(readOnly.Scopes, "write_builds"), false)
	spare := connect(t, "SPARE_ACCESS_TOKEN")
	if _, err := spare.AccessTokens.Revoke(ctx); err != nil {
		t.Fatal(err)
	}
	_, _, err = spare.AccessTokens.Get(ctx)
	refused(t, err, http.StatusUnauthorized)
}

func numbers(builds []buildkite.Build) []int {
	var found []int
	for _, build := range builds {
		if build.Number <= 6 {
			found = append(found, build.Number)
		}
	}
	return found
}

// Section 4.11: the builds of the seed, by each of the three lists.
func TestBuildLists(t *testing.T) {
	s, ctx := open(t), context.Background()
	fourth, _, err := s.Builds.Get(ctx, organization, pipeline, "4", nil)
	s.worked(err)
	cases := map[string]struct {
		options buildkite.BuildsListOptions
		want    []int
	}{
		"all":       {buildkite.BuildsListOptions{}, []int{6, 5, 4, 3, 2, 1}},
		"states":    {buildkite.BuildsListOptions{State: []string{"failed", "canceled"}}, []int{3, 2}},
		"branches":  {buildkite.BuildsListOptions{Branch: []string{"checkout", "search"}}, []int{6, 3, 2}},
		"meta-data": {buildkite.BuildsListOptions{MetaData: buildkite.MetaDataFilters{MetaData: map[string]string{"release": "1.3"}}}, []int{4}},
		"created":   {buildkite.BuildsListOptions{CreatedFrom: fourth.CreatedAt.Time}, []int{6, 5, 4}},
		"finished":  {buildkite.BuildsListOptions{FinishedFrom: fourth.CreatedAt.Time.Add(time.Millisecond)}, []int{4}},
		"retried":   {buildkite.BuildsListOptions{IncludeRetriedJobs: true}, []int{6, 5, 4, 3, 2, 1}},
	}
	for name, each := range cases {
		t.Run(name, func(t *testing.T) {
			s := session{s.Client, t}
			byAll, _, err := s.Builds.List(ctx, &each.options)
			s.worked(err)
			byOrganization, _, err := s.Builds.ListByOrg(ctx, organization, &each.options)
			s.worked(err)
			byPipeline, _, err := s.Builds.ListByPipeline(ctx, organization, pipeline, &each.options)
			s.worked(err)
			for _, builds := range [][]buildkite.Build{byAll, byOrganization, byPipeline} {
				if !slices.Equal(numbers(builds), each.want) {
					t.Errorf("got %v, want %v", numbers(builds), each.want)
				}
			}
		})
	}
}

// Section 3.3: pages, by the links in the answers.
func TestPages(t *testing.T) {
	s, ctx := open(t), context.Background()
	options := buildkite.BuildsListOptions{
		Branch:      []string{"main"},
		ListOptions: buildkite.ListOptions{PerPage: 2},
	}
	var seen []int
	for {
		builds, response, err := s.Builds.ListByPipeline(ctx, organization, pipeline, &options)
		s.worked(err)
		seen = append(seen, numbers(builds)...)
		if response.NextPage == 0 {
			break
		}
		options.Page = response.NextPage
	}
	if want := []int{5, 4, 1}; !slices.Equal(seen, want) {
		t.Errorf("got %v, want %v", seen, want)
	}
}

// Section 4.11.
func TestBuilds(t *testing.T) {
	s, ctx := open(t), context.Background()
	created, _, err := s.Builds.Create(ctx, organization, pipeline, buildkite.CreateBuild{
		Commit: commit, Branch: "next", Message: "Try it",
		Author:   buildkite.Author{Name: "Zoe", Email: "zoe@example.com"},
		Env:      map[string]string{"SPEED": "high"},
		MetaData: map[string]string{"release": "9"},
	})
	s.worked(err)
	equal(t, created.State, "scheduled")
	equal(t, created.MetaData["release"], "9")
	number := strconv.Itoa(created.Number)
	canceled, err := s.Builds.Cancel(ctx, organization, pipeline, number)
	s.worked(err)
	equal(t, canceled.State, "canceled")
	_, err = s.Builds.Cancel(ctx, organization, pipeline, number)
	refused(t, err, http.StatusUnprocessableEntity)
	rebuilt, err := s.Builds.Rebuild(ctx, organization, pipeline, number)
	s.worked(err)
	equal(t, rebuilt.RebuiltFrom.Number, created.Number)
	readOnly := connect(t, "READ_ONLY_ACCESS_TOKEN")
	_, _, err = readOnly.Builds.Create(ctx, organization, pipeline, buildkite.CreateBuild{Commit: commit, Branch: "main"})
	refused(t, err, http.StatusForbidden)
}
