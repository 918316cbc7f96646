import { type Answers, first, known, unknown, unset } from "./answers.js";
import { idIn } from "./clean.js";
import { largestPage, linkOfSinglePage, linkRelations, userGraphqlId } from "./reads.js";
import { isRefused, type Service, type WritingPart } from "./service.js";
import { Stopped, unexpected, type Wire } from "./wire.js";

/** Questions that a cluster with queues and an agent token answers. */
export const cluster: WritingPart = {
  makes: "a cluster with three queues and an agent token",
  names: [
    "unsetText",
    "embeddedUserGraphqlId",
    "colorCase",
    "emojiForm",
    "listLag",
    "linkHeaderOnSinglePage",
    "linkRelations",
    "largestPage",
    "pauseNoteField",
    "deleteDefaultQueue",
    "clearDefaultQueue",
    "allowedAddressesUnset",
    "allowedAddressesForm",
    "allowedAddresses",
  ],
  requests: 34,
  async run(service, answers) {
    const { id, entity } = await service.make("cluster", "cluster", (name) => ({ name }));
    const path = service.at(`/clusters/${id}`);
    await answers.ask("unsetText", () => unset(entity, "description"));
    await answers.ask("embeddedUserGraphqlId", () => userGraphqlId(entity));
    await answers.ask("colorCase", async () => {
      const { color } = await service.change("PUT", path, { color: "#aBcDeF" });
      const reason = "the color came back in another form";
      return first(
        reason,
        [color === "#aBcDeF", "kept"],
        [color === "#abcdef", "lower"],
        [color === "#ABCDEF", "upper"],
      );
    });
    await answers.ask("emojiForm", async () => {
      const emojiOf = async (emoji: string) => (await service.change("PUT", path, { emoji })).emoji;
      if ((await emojiOf(":mac:")) === "mac") return known("bare");
      const bare = await emojiOf("mac");
      return first(
        "the emoji came back in another form",
        [bare === ":mac:", "colons"],
        [bare === "mac", "kept"],
      );
    });
    await askQueues(service, answers, { id, path });
    await askToken(service, answers, id);
  },
};

async function askQueues(
  service: Service,
  answers: Answers,
  { id, path }: { readonly id: string; readonly path: string },
): Promise<void> {
  const { wire } = service;
  const list = `${path}/queues`;
  const made: string[] = [];
  for (const label of ["one", "two", "three"]) {
    made.push((await service.make("queue", label, (key) => ({ key }), id)).id);
    if (label === "one") await answers.ask("listLag", () => lagOf(wire, list, made[0]));
  }
  const [one = "", two = ""] = made;
  await answers.ask("linkHeaderOnSinglePage", async () =>
    linkOfSinglePage(await wire.get(`${list}?per_page=100`)),
  );
  await answers.ask("linkRelations", async () => linkRelations(await wire.get(`${list}?per_page=1&page=2`)));
  await answers.ask("largestPage", async () => largestPage(await wire.get(`${list}?per_page=1000`)));
  await answers.ask("pauseNoteField", async () => {
    const noteOf = async (field: "note" | "dispatch_paused_note") => {
      const paused = await service.change("POST", `${list}/${two}/pause_dispatch`, { [field]: "Probe" });
      await service.change("POST", `${list}/${two}/resume_dispatch`);
      return paused.dispatch_paused_note === "Probe";
    };
    const [short, long] = [await noteOf("note"), await noteOf("dispatch_paused_note")];
    const reason = "neither note was recorded";
    return first(reason, [short && long, "both"], [short, "note"], [long, "dispatch_paused_note"]);
  });
  await answers.ask("deleteDefaultQueue", async () => {
    await service.change("PUT", path, { default_queue_id: one });
    const response = await wire.write("DELETE", `${list}/${one}`);
    return first(unexpected(response), [response.status < 300, "allowed"], [isRefused(response), "refused"]);
  });
  await answers.ask("clearDefaultQueue", async () => {
    await service.change("PUT", path, { default_queue_id: two });
    const response = await wire.write("PUT", path, { default_queue_id: null });
    if (isRefused(response)) return known("refused");
    const after = await service.read(path);
    return known(after.default_queue_id === null ? "allowed" : "refused");
  });
}

/** Counts the lists that lack an object that exists. */
async function lagOf(wire: Wire, list: string, id: string | undefined) {
  const MOST = 5;
  for (let lag = 0; lag <= MOST; lag++) {
    if ((await wire.all(list)).some((entry) => idIn(entry) === id)) return known(lag);
  }
  return unknown(`the object is missing in more than ${MOST} lists`);
}

async function askToken(service: Service, answers: Answers, cluster: string): Promise<void> {
  const names = ["allowedAddressesUnset", "allowedAddressesForm", "allowedAddresses"] as const;
  try {
    const { id, entity } = await service.make("token", "token", (description) => ({ description }), cluster);
    await answers.ask("allowedAddressesUnset", () => unset(entity, "allowed_ip_addresses"));
    const path = service.at(`/clusters/${cluster}/tokens/${id}`);
    const changed = await service.change("PUT", path, {
      description: service.ledger.name("token"),
      allowed_ip_addresses: "198.51.100.7/24 192.0.2.1",
    });
    const { allowed_ip_addresses: addresses } = changed;
    await answers.ask("allowedAddressesForm", () =>
      first(
        "the addresses came back in another form",
        [typeof addresses === "string", "string"],
        [Array.isArray(addresses), "array"],
      ),
    );
    await answers.ask("allowedAddresses", () => {
      const text = Array.isArray(addresses) ? addresses.join(" ") : addresses;
      return first(
        "the addresses came back changed",
        [text === "198.51.100.7/24 192.0.2.1", "kept"],
        [text === "198.51.100.0/24 192.0.2.1/32", "canonical"],
        [text === "192.0.2.1 198.51.100.7/24", "sorted"],
      );
    });
  } catch (error) {
    if (error instanceof Stopped) throw error;
    answers.fail(names, error);
  }
}
