"""The Python package pybuildkite against the emulator: every operation of the table that it has."""

import datetime
import os
import unittest

import requests
from pybuildkite.buildkite import Buildkite, BuildState

URL = os.environ["BUILDPIPELINE_BASE_URL"]
ORGANIZATION = os.environ["BUILDPIPELINE_ORGANIZATION"]
TOKEN = os.environ["BUILDPIPELINE_ACCESS_TOKEN"]
READ_ONLY_TOKEN = os.environ["READ_ONLY_ACCESS_TOKEN"]
SPARE_TOKEN = os.environ["SPARE_ACCESS_TOKEN"]
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def connect(token=TOKEN, per_page=100):
    client = Buildkite(per_page=per_page)
    client.base_url = URL + "/v2/"
    client.set_access_token(token)
    return client


def numbers(builds):
    return [build["number"] for build in builds]


class Case(unittest.TestCase):
    def setUp(self):
        self.client = connect()

    def assertRefused(self, status, call, *arguments, **named):
        with self.assertRaises(requests.HTTPError) as caught:
            call(*arguments, **named)
        self.assertEqual(caught.exception.response.status_code, status)
        return caught.exception.response.json()["message"]


class Teams(Case):
    """Section 4.5: the package lists teams and does no more."""

    @classmethod
    def setUpClass(cls):
        body = {
            "name": "Platform",
            "description": "",
            "privacy": "visible",
            "is_default_team": False,
            "default_member_role": "member",
            "members_can_create_pipelines": True,
        }
        path = f"{URL}/v2/organizations/{ORGANIZATION}/teams"
        requests.post(path, json=body, headers={"Authorization": f"Bearer {TOKEN}"}).raise_for_status()

    def test_list(self):
        self.assertEqual([team["slug"] for team in self.client.teams().list_teams(ORGANIZATION)], ["platform"])

    def test_list_of_a_user(self):
        nobody = "99999999-9999-4999-8999-999999999999"
        self.assertEqual(self.client.teams().list_teams(ORGANIZATION, user_id=nobody), [])


class Agents(Case):
    """Section 4.8."""

    def agents(self, **query):
        return self.client.agents().list_all(ORGANIZATION, **query)

    def test_list(self):
        self.assertIn("builder-1", [agent["name"] for agent in self.agents()])

    def test_list_by_name_host_and_version(self):
        self.assertEqual(len(self.agents(name="builder-1")), 1)
        self.assertEqual(len(self.agents(hostname="builder-1.internal", version="3.90.0")), 1)
        self.assertEqual(self.agents(version="0.0.1"), [])

    def test_get(self):
        agent = self.agents(name="builder-1")[0]
        self.assertEqual(self.client.agents().get_agent(ORGANIZATION, agent["id"])["hostname"], "builder-1.internal")

    def test_stop(self):
        agent = self.agents(name="builder-2")[0]
        self.assertTrue(self.client.agents().stop_agent(ORGANIZATION, agent["id"], force=False))
        message = self.assertRefused(400, self.client.agents().stop_agent, ORGANIZATION, agent["id"])
        self.assertEqual(message, "Can only stop connected agents")


class Organizations(Case):
    """Section 4.9, organizations: the package does not know members."""

    def test_list(self):
        self.assertEqual([found["slug"] for found in self.client.organizations().list_all()], [ORGANIZATION])

    def test_get(self):
        self.assertEqual(self.client.organizations().get_org(ORGANIZATION)["name"], "Acme")

    def test_get_of_another(self):
        message = self.assertRefused(404, self.client.organizations().get_org, "other")
        self.assertEqual(message, "No organization found")


class AccessTokens(Case):
    """Section 4.10."""

    def test_get(self):
        scopes = connect(READ_ONLY_TOKEN).access_tokens().get_token()["scopes"]
        self.assertIn("read_builds", scopes)
        self.assertNotIn("write_builds", scopes)

    def test_revoke(self):
        client = connect(SPARE_TOKEN)
        self.assertTrue(client.access_tokens().revoke_token())
        self.assertRefused(401, client.access_tokens().get_token)


class Builds(Case):
    """Section 4.11."""

    def setUp(self):
        super().setUp()
        self.builds = self.client.builds()
        self.place = (ORGANIZATION, "storefront")

    def lists(self, **query):
        """The builds of the seed by each of the three lists."""
        found = [
            self.builds.list_all(**query),
            self.builds.list_all_for_org(ORGANIZATION, **query),
            self.builds.list_all_for_pipeline(*self.place, **query),
        ]
        return [[number for number in numbers(builds) if number <= 6] for builds in found]

    def assertListed(self, expected, **query):
        self.assertEqual(self.lists(**query), [expected] * 3)

    def test_list(self):
        self.assertListed([6, 5, 4, 3, 2, 1])

    def test_list_by_states(self):
        self.assertListed([5], states=[BuildState.RUNNING])
        self.assertListed([3, 2], states=[BuildState.FAILED, BuildState.CANCELED])
        self.assertListed([4, 3, 2, 1], states=[BuildState.FINISHED])

    def test_list_by_branches(self):
        self.assertListed([3, 2], branch="checkout")
        self.assertListed([6, 3, 2], branch=["checkout", "search"])

    def test_list_by_commit_creator_and_meta_data(self):
        build = self.builds.get_build_by_number(*self.place, 2)
        self.assertListed([2], commit=build["commit"])
        self.assertListed([6, 5, 4, 3, 2, 1], creator="ada@acme.example")
        self.assertListed([4], meta_data={"release": "1.3"})

    def test_list_by_times(self):
        created = datetime.datetime.fromisoformat(
            self.builds.get_build_by_number(*self.place, 4)["created_at"].replace("Z", "+00:00")
        )
        self.assertListed([6, 5, 4], created_from=created)
        self.assertListed([3, 2, 1], created_to=created)
        self.assertListed([4], finished_from=created)

    def test_list_with_retried_jobs(self):
        self.assertListed([6, 5, 4, 3, 2, 1], include_retried_jobs=True)

    def test_pages(self):
        builds = connect(per_page=2).builds()
        seen, page = [], 1
        while page is not None:
            answer = builds.list_all_for_pipeline(*self.place, branch="main", page=page, with_pagination=True)
            seen += [number for number in numbers(answer.body) if number <= 6]
            page = answer.next_page
        self.assertEqual(seen, [5, 4, 1])

    def test_get(self):
        build = self.builds.get_build_by_number(*self.place, 5, include_retried_jobs=True)
        self.assertEqual((build["state"], build["pipeline"]["slug"]), ("running", "storefront"))

    def test_create_cancel_and_rebuild(self):
        created = self.builds.create_build(
            *self.place,
            COMMIT,
            "next",
            author={"name": "Zoe", "email": "zoe@example.com"},
            clean_checkout=True,
            env={"SPEED": "high"},
            ignore_pipeline_branch_filters=True,
            message="Try it",
            meta_data={"release": "9"},
            pull_request_base_branch="main",
            pull_request_id=12,
            pull_request_repository="https://git.example/zoe/storefront.git",
        )
        self.assertEqual((created["state"], created["creator"]["name"]), ("scheduled", "Zoe"))
        canceled = self.builds.cancel_build(*self.place, created["number"])
        self.assertEqual(canceled["state"], "canceled")
        self.assertRefused(422, self.builds.cancel_build, *self.place, created["number"])
        rebuilt = self.builds.rebuild_build(*self.place, created["number"])
        self.assertEqual(rebuilt["rebuilt_from"]["number"], created["number"])

    def test_create_without_a_commit(self):
        self.assertEqual(self.assertRefused(422, self.builds.create_build, *self.place, "", "main"), "Validation Failed")

    def test_create_without_the_scope(self):
        message = self.assertRefused(403, connect(READ_ONLY_TOKEN).builds().create_build, *self.place, COMMIT, "main")
        self.assertIn("write_builds", message)


if __name__ == "__main__":
    unittest.main()
