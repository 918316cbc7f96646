// A large organization, which the emulator gets without requests.

/** @typedef {{ urn: string, type: string, id: string, inputs: Record<string, string> }} StateEntry */

/**
 * Adds clusters, each with so many queues and tokens.
 *
 * @param {import("../../src/emulator/index.js").Emulator} emulator
 * @param {{ clusters: number, queues: number, tokens: number }} sizes
 * @returns {StateEntry[]} the state of a stack that owns them
 */
export function fill({ organizationData: data }, { clusters, queues, tokens }) {
  const [user] = data.users.list();
  if (user === undefined) throw new Error("The organization has no user.");
  const made = { created_at: "2030-01-01T00:00:00.000Z", created_by: user.id };
  /** @type {StateEntry[]} */
  const entries = [];
  /** @param {string} kind @param {Record<string, string>} inputs */
  const own = (kind, inputs) => {
    const type = `pulumi-nodejs:dynamic/buildpipeline:${kind}`;
    const id = crypto.randomUUID();
    entries.push({ urn: `urn:pulumi:bench::bench::${type}::r-${entries.length}`, type, id, inputs });
    return id;
  };
  for (let cluster = 0; cluster < clusters; cluster++) {
    const name = `Cluster ${cluster}`;
    const clusterId = own("Cluster", { name });
    const none = { description: null, emoji: null, color: null, default_queue_id: null };
    data.clusters.insert({ id: clusterId, name, ...none, ...made });
    for (let queue = 0; queue < queues; queue++) {
      const key = `queue-${queue}`;
      const id = own("Queue", { clusterId, key });
      const resumed = { dispatch_paused: false, dispatch_paused_by: null, dispatch_paused_at: null };
      const unset = { description: null, dispatch_paused_note: null };
      data.queues.insert({ id, cluster_id: clusterId, key, ...unset, ...resumed, ...made });
    }
    for (let token = 0; token < tokens; token++) {
      const description = `Token ${token}`;
      const id = own("AgentToken", { clusterId, description });
      const secret = { allowed_ip_addresses: null, token: `secret-${token}` };
      data.agentTokens.insert({ id, cluster_id: clusterId, description, ...secret, ...made });
    }
  }
  return entries;
}
