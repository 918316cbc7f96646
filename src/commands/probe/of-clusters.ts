import { first, once, type Questions, unset } from "./question.js";
import { idIn, isRefused, type ProbedService, wasRefused } from "./service.js";
import { NoAnswer } from "./wire.js";

export const ownCluster = once((service) => service.make("cluster", "cluster", (name) => ({ name })));

/** Three queues in it, and what lists show of them before anything else happens to them. */
export const ownQueues = once(async (service) => {
  const { id } = await ownCluster(service);
  const list = service.listOf("queue", id);
  const make = (label: string) => service.make("queue", label, (key) => ({ key }), id);
  const one = await make("one");
  const listsWithoutOne = await lagOf(service, list, one.id);
  const two = await make("two");
  await make("three");
  return {
    one,
    two,
    listsWithoutOne,
    onOnePage: await service.get(`${list}?per_page=100`),
    largePage: await service.get(`${list}?per_page=1000`),
    secondPage: await service.get(`${list}?per_page=1&page=2`),
  };
});

const MOST_LISTS_WITHOUT = 5;

async function lagOf(service: ProbedService, list: string, id: string): Promise<number> {
  let lag = 0;
  while (lag <= MOST_LISTS_WITHOUT && !(await service.all(list)).some((entry) => idIn(entry) === id))
    lag += 1;
  return lag;
}

const ownToken = once(async (service) => {
  const { id: cluster } = await ownCluster(service);
  return service.make("token", "token", (description) => ({ description }), cluster);
});

const ADDRESSES = "198.51.100.7/24 192.0.2.1";

const addresses = once(async (service) => {
  const token = await ownToken(service);
  const body = { description: token.name, allowed_ip_addresses: ADDRESSES };
  return (await service.change("PUT", token, body)).allowed_ip_addresses;
});

const CONFIGURATION = "\nsteps:   [] # none";

export const ofClusters = {
  pauseNoteField: {
    asks: "Which property sets the note of a paused queue?",
    document: "`note` in the list of properties, `dispatch_paused_note` in the example",
    copes: "sends both",
    async answer(service) {
      const { two } = await ownQueues(service);
      const isRead = async (field: "note" | "dispatch_paused_note") => {
        const paused = await service.change("POST", two, { [field]: "Probe" }, "/pause_dispatch");
        await service.change("POST", two, undefined, "/resume_dispatch");
        return paused.dispatch_paused_note === "Probe";
      };
      const [short, long] = [await isRead("note"), await isRead("dispatch_paused_note")];
      const reason = "neither note was recorded";
      return first(reason, [short && long, "both"], [short, "note"], [long, "dispatch_paused_note"]);
    },
  },
  deleteDefaultQueue: {
    asks: "Can a queue be deleted that is its cluster's default?",
    copes: "repeats the deletion for some seconds while the default is cleared",
    async answer(service) {
      const { one } = await ownQueues(service);
      await service.change("PUT", await ownCluster(service), { default_queue_id: one.id });
      return wasRefused(await service.write("DELETE", one)) ? "refused" : "allowed";
    },
  },
  clearDefaultQueue: {
    asks: "Does `default_queue_id: null` clear a cluster's default queue?",
    document: "names only the id of a queue",
    copes: "removes the resource from state with a warning if the API refuses",
    async answer(service) {
      const cluster = await ownCluster(service);
      const { two } = await ownQueues(service);
      await service.change("PUT", cluster, { default_queue_id: two.id });
      const response = await service.write("PUT", cluster, { default_queue_id: null });
      if (isRefused(response)) return "refused";
      return (await service.read(cluster)).default_queue_id === null ? "allowed" : "refused";
    },
  },
  deleteQueueWithAgents: {
    asks: "Can a queue with connected agents be deleted?",
    copes: "reports the refusal and what to do about the agents",
    answer: "a probe starts no agents",
  },
  listLag: {
    asks: "Is a new object missing in the next lists?",
    copes: "looks a second time after a lost response",
    async answer(service) {
      const { listsWithoutOne } = await ownQueues(service);
      if (listsWithoutOne <= MOST_LISTS_WITHOUT) return listsWithoutOne;
      throw new NoAnswer(`the object is missing in more than ${MOST_LISTS_WITHOUT} lists`);
    },
  },
  unsetText: {
    asks: "How does optional text without a value come back?",
    copes: "treats null, an empty text and a missing property as equal",
    answer: async (service) => unset((await ownCluster(service)).entity, "description"),
  },
  textEnds: {
    asks: "Does the API remove blanks and line breaks at the ends of a token's description?",
    copes: "refuses such names and descriptions of tokens at preview, and compares texts without their ends",
    async answer(service) {
      const token = await ownToken(service);
      const sent = `${token.name} \n`;
      const { description } = await service.change("PUT", token, { description: sent });
      const reason = "the description came back in another form";
      return first(reason, [description === sent, "kept"], [description === token.name, "trimmed"]);
    },
  },
  colorCase: {
    asks: "Does the API change the case of a color?",
    copes: "compares colors without their case",
    async answer(service) {
      const { color } = await service.change("PUT", await ownCluster(service), { color: "#aBcDeF" });
      return first(
        "the color came back in another form",
        [color === "#aBcDeF", "kept"],
        [color === "#abcdef", "lower"],
        [color === "#ABCDEF", "upper"],
      );
    },
  },
  emojiForm: {
    asks: "Does the API change the form of an emoji's name?",
    document: "shows names between colons",
    copes: "compares names without their colons",
    async answer(service) {
      const cluster = await ownCluster(service);
      const emojiOf = async (emoji: string) => (await service.change("PUT", cluster, { emoji })).emoji;
      if ((await emojiOf(":mac:")) === "mac") return "bare";
      const bare = await emojiOf("mac");
      const reason = "the emoji came back in another form";
      return first(reason, [bare === ":mac:", "colons"], [bare === "mac", "kept"]);
    },
  },
  allowedAddressesUnset: {
    asks: "How do allowed addresses without a value come back?",
    copes: "treats null, an empty text and a missing property as equal",
    answer: async (service) => unset((await ownToken(service)).entity, "allowed_ip_addresses"),
  },
  allowedAddressesForm: {
    asks: "Are allowed addresses a string or an array?",
    document: "describes a list, and shows a string",
    copes: "reads both, and sends a string",
    async answer(service) {
      const shown = await addresses(service);
      return first(
        "the addresses came back in another form",
        [typeof shown === "string", "string"],
        [Array.isArray(shown), "array"],
      );
    },
  },
  allowedAddresses: {
    asks: "Does the API change the form of allowed addresses?",
    copes: "compares the networks, not their spelling",
    async answer(service) {
      const shown = await addresses(service);
      const text = Array.isArray(shown) ? shown.join(" ") : shown;
      return first(
        "the addresses came back changed",
        [text === ADDRESSES, "kept"],
        [text === "198.51.100.0/24 192.0.2.1/32", "canonical"],
        [text === "192.0.2.1 198.51.100.7/24", "sorted"],
      );
    },
  },
  agentTokenExpiresAt: {
    asks: "Does the API return when an agent token expires?",
    document: "no `expires_at`",
    copes: "has the output `expiresAt` where the API returns it, and warns 14 days before",
    async answer(service) {
      const { entity } = await ownToken(service);
      return Object.hasOwn(entity, "expires_at") ? "shown" : "absent";
    },
  },
  yamlText: {
    asks: "Does the API change the text of a template's configuration?",
    copes: "compares the parsed YAML",
    async answer(service) {
      const body = (name: string) => ({ name, configuration: CONFIGURATION });
      const { status, entity } = await service.create("template", "template", body);
      const text = entity?.configuration;
      if (typeof text !== "string")
        throw new NoAnswer(`needs a plan with pipeline templates (the API responded with ${status})`);
      return first(
        "the text came back in another form",
        [text === CONFIGURATION, "kept"],
        [text === CONFIGURATION.trim(), "trimmed"],
        [text === `${CONFIGURATION}\n`, "final-newline"],
        [/^\s*steps: \[\]/.test(text), "reformatted"],
      );
    },
  },
} satisfies Partial<Questions>;
