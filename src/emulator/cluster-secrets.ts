import { z } from "zod";
import { type InCluster, inCluster, managedCluster } from "./clusters.js";
import {
  type Call,
  deletion,
  listing,
  newerSection,
  operation,
  reading,
  type Scope,
} from "./http/operation.js";
import { clearableText, text, unlessGiven } from "./model/body.js";
import * as model from "./model/entity.js";
import { yamlDocument, yamlProblem, yamlValue } from "./model/normalize.js";
import { Refusal, validationFailed } from "./model/refusals.js";
import type { Variations } from "./model/variations.js";

const organization = z.object({
  id: model.uuid,
  slug: z.string(),
  url: model.address,
  web_url: model.address,
});

const fields = {
  id: model.uuid,
  key: z.string(),
  description: model.optionalText,
  policy: model.optionalText,
  url: model.apiUrl(({ id, cluster_id }: InCluster) => `/clusters/${cluster_id}/secrets/${id}`),
  cluster_url: model.apiUrl(({ cluster_id }: InCluster) => `/clusters/${cluster_id}`),
  created_at: model.timestamp,
  created_by: model.userInBrief,
  updated_at: model.timestamp,
  updated_by: model.userInBrief,
  last_read_at: model.timestamp.nullable(),
  organization: model.derived(organization, (_, view) => {
    const id = view.data.organizations.find("slug", view.organization)?.id ?? "";
    const here = () => "";
    const { url, web_url } = { url: model.apiUrl(here), web_url: model.webUrl(here) };
    return { id, slug: view.organization, url: url.derive({}, view), web_url: web_url.derive({}, view) };
  }),
};

/** A secret of a cluster. `value` is never shown, and `last_read_at` changes only when a test says so. */
export interface ClusterSecretRecord extends model.RecordOf<typeof fields> {
  readonly cluster_id: string;
  readonly value: string;
}

const secret = model.entity<ClusterSecretRecord>("ClusterSecret", fields);

const key = text
  .max(255, { error: "is too long (maximum is 255 characters)" })
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/, {
    error: "must start with a letter and have letters, numbers and underscores only",
  })
  .refine((name) => !/^(buildkite|bk)/i.test(name), { error: "can't begin with buildkite or bk" });

const clearable = { description: clearableText, policy: clearableText };
const refused = { key: z.unknown().optional(), value: z.unknown().optional() };

const collection = "/v2/organizations/{org_slug}/clusters/{cluster_id}/secrets";
const single = `${collection}/{id}`;
const scope: Scope = "read_secrets_details";

export const clusterSecrets = newerSection("clusterSecrets", "secrets", {
  list: listing(
    collection,
    "List the secrets of a cluster, without their values",
    secret,
    (call) => call.data.clusterSecrets.list("cluster_id", managedCluster(call).id),
    { scope },
  ),
  get: reading(single, "Get a secret, without its value", secret, findSecret, { scope }),
  create: operation("POST", collection, "Create a secret", {
    body: z.object({ key, value: text, ...unlessGiven(clearable) }),
    response: secret,
    errors: { 422: "validation fails, among it a key that is taken" },
    run: (call) => {
      const { body, data, made, now, variations } = call;
      const { id: cluster_id } = managedCluster(call);
      const others = data.clusterSecrets.list("cluster_id", cluster_id);
      if (others.some((one) => one.key === body.key)) throw validationFailed("Key has already been taken");
      checkValue(body.value, variations);
      checkPolicy(body.policy);
      // The live service shows a moment after the creation.
      const updated_at = new Date(Date.parse(now) + 3).toISOString();
      const unread = { updated_at, updated_by: null, last_read_at: null };
      return data.clusterSecrets.insert({ ...made, cluster_id, ...body, ...unread });
    },
  }),
  update: operation("PUT", single, "Update a secret's description and policy", {
    body: z.object({ ...clearable, ...refused }).partial(),
    response: secret,
    run: (call) => {
      const { key, value, ...body } = call.body;
      const { id } = findSecret(call);
      if (key !== undefined) throw new Refusal(422, "The key parameter cannot be updated.");
      if (value !== undefined) {
        throw new Refusal(422, "The value parameter cannot be updated on this endpoint.");
      }
      checkPolicy(body.policy);
      return call.data.clusterSecrets.update(id, { ...body, ...updated(call) });
    },
  }),
  updateValue: operation("PUT", `${single}/value`, "Replace the value of a secret", {
    body: z.object({ value: text }),
    response: secret,
    run: (call) => {
      const { value } = call.body;
      const { id } = findSecret(call);
      checkValue(value, call.variations);
      return call.data.clusterSecrets.update(id, { value, ...updated(call) });
    },
  }),
  delete: deletion(single, "Delete a secret", null, (call) =>
    call.data.clusterSecrets.delete(findSecret(call).id),
  ),
});

const updated = ({ now, token }: Call) => ({ updated_at: now, updated_by: token.user_id });

function findSecret(call: Call<"cluster_id" | "id">): ClusterSecretRecord {
  managedCluster(call);
  return inCluster(call, call.data.clusterSecrets.get(call.params.id.toLowerCase()), "secret");
}

function checkValue(value: string, { largestSecret }: Variations): void {
  if (Buffer.byteLength(value) > largestSecret) {
    throw validationFailed(`Value is too long (maximum is ${largestSecret} bytes)`);
  }
}

/** A policy is a list of rules, each a map of claims. */
function checkPolicy(policy: string | null | undefined): void {
  if (policy == null) return;
  const rules = yamlProblem(policy) === undefined ? yamlValue(yamlDocument(policy)) : undefined;
  const isRule = (rule: unknown) => typeof rule === "object" && rule !== null && !Array.isArray(rule);
  if (!Array.isArray(rules) || !rules.every(isRule)) {
    throw validationFailed("Policy must be a YAML list of rules");
  }
}
