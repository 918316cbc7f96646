// @ts-check
// Rules for an organization. Copy this folder next to your projects, and set levels and limits in config.json.

const { PolicyPack } = require("@pulumi/policy");

/** @typedef {import("@pulumi/policy").ResourceValidationArgs} Resource */
/** @typedef {import("@pulumi/policy").PolicyResource} StackResource */

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Checks whether a resource has one of these types, in either backend.
 *
 * @param {{ readonly type: string }} resource
 * @param {readonly string[]} names
 */
function isA({ type }, ...names) {
  const name = /^(?:pulumi-nodejs:dynamic\/buildpipeline|buildpipeline:index):(\w+)$/.exec(type)?.[1];
  return name !== undefined && (names.length === 0 || names.includes(name));
}

/**
 * Reads a property where one unknown value must not end the rule for all resources.
 *
 * @template T @param {() => T} read @returns {T | undefined}
 */
function known(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Returns the name that people know an object by. @param {Resource | StackResource} resource @returns {string} */
function nameOf({ props, name }) {
  return known(() => props.name) ?? known(() => props.key) ?? name;
}

/** Describes a list of names in a rule's configuration. @param {string} description */
function listOfNames(description) {
  return {
    type: /** @type {const} */ ("array"),
    items: { type: /** @type {const} */ ("string") },
    default: [],
    description,
  };
}

new PolicyPack("buildpipeline", {
  enforcementLevel: "mandatory",
  policies: [
    {
      name: "agent-token-addresses",
      description: "Agent tokens work only from allowed addresses.",
      validateResource: (token, report) => {
        if (!isA(token, "AgentToken")) return;
        /** @type {readonly string[]} */
        const addresses = token.props.allowedIpAddresses ?? [];
        if (addresses.length === 0 || addresses.some((address) => address.endsWith("/0")))
          report(
            `Set allowedIpAddresses of "${token.name}" to the networks of its agents, such as ["10.0.0.0/8"].`,
          );
      },
    },
    {
      name: "agent-token-age",
      description: "Agent tokens are rotated, also before they expire.",
      configSchema: { properties: { maxDays: { type: "integer", minimum: 1, default: 90 } } },
      validateStack: ({ resources, getConfig }, report) => {
        const { maxDays } = /** @type {{ maxDays: number }} */ (getConfig());
        for (const token of resources.filter((resource) => isA(resource, "AgentToken"))) {
          const createdAt = known(() => token.props.createdAt);
          const days = Math.floor((Date.now() - Date.parse(createdAt)) / DAY_MS);
          if (days > maxDays)
            report(
              `"${token.name}" is ${days} days old, and ${maxDays} are allowed. Change its triggers.`,
              token.urn,
            );
          // Few services return it.
          const expiresAt = known(() => token.props.expiresAt);
          if (Date.parse(expiresAt) - Date.now() <= 14 * DAY_MS)
            report(`"${token.name}" expires on ${expiresAt.slice(0, 10)}. Rotate it before.`, token.urn);
        }
      },
    },
    {
      name: "cluster-default-queue",
      description: "Every cluster has a default queue.",
      validateStack: ({ resources }, report) => {
        const defaults = resources.filter((resource) => isA(resource, "ClusterDefaultQueue"));
        for (const cluster of resources.filter((resource) => isA(resource, "Cluster"))) {
          const id = known(() => cluster.props.id);
          const isDeclared = defaults.some(
            ({ props, propertyDependencies }) =>
              propertyDependencies.clusterId?.some(({ urn }) => urn === cluster.urn) ||
              (id !== undefined && known(() => props.clusterId) === id),
          );
          // Another stack may declare it: then the cluster has one when it was read last.
          if (!isDeclared && !known(() => cluster.props.defaultQueueId))
            report(`Declare a ClusterDefaultQueue for "${nameOf(cluster)}".`, cluster.urn);
        }
      },
    },
    {
      name: "protected",
      description: "No deployment deletes what is named in the configuration.",
      configSchema: {
        properties: { names: listOfNames("Names of resources, or of the objects they declare.") },
      },
      validateResource: (resource, report) => {
        if (!isA(resource) || resource.opts.protect) return;
        const { names } = /** @type {{ names: string[] }} */ (resource.getConfig());
        if (names.includes(resource.name) || names.includes(nameOf(resource)))
          report(`Give "${resource.name}" the option protect: true.`);
      },
    },
    {
      name: "team-pipelines",
      description: "Members create pipelines only in teams that are named in the configuration.",
      configSchema: {
        properties: { allowed: listOfNames("Names of the teams whose members may create pipelines.") },
      },
      validateResource: (team, report) => {
        if (!isA(team, "Team") || !team.props.membersCanCreatePipelines) return;
        const { allowed } = /** @type {{ allowed: string[] }} */ (team.getConfig());
        if (!allowed.includes(team.props.name))
          report(`Set membersCanCreatePipelines of "${team.name}" to false.`);
      },
    },
    {
      name: "description",
      description: "Objects have a description.",
      enforcementLevel: "advisory",
      validateResource: (resource, report) => {
        if (
          isA(resource, "Cluster", "Queue", "PipelineTemplate", "Team") &&
          !resource.props.description?.trim()
        )
          report(`Give "${resource.name}" a description.`);
      },
    },
  ],
});
