import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { credentials, status } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Fault, type FaultRule, startEmulator } from "../../src/emulator/index.js";
import { Served, urnOf } from "../provider/plugin/served.js";
import { cases, someOf } from "../support/cases.js";
import { foreignText, OBEYED, SPECIAL } from "../support/foreign-text.js";

const HOST = createRequire(__filename).resolve("@pulumi/pulumi/cmd/dynamic-provider");

/** The properties by which Pulumi's own host finds the provider of a resource type. */
function hostedBy(kind: string): { readonly __provider: string } {
  const entry = "pulumi-buildpipeline/provider";
  return {
    __provider: `exports.handler=()=>require("node:module").createRequire(process.cwd()+"/index.js")("${entry}").provider("${kind}")`,
  };
}

/** Starts Pulumi's own dynamic-provider host in a process, and speaks to it as the engine does. */
async function startHost(): Promise<Served> {
  const emulator = await startEmulator({ seed: false });
  onTestFinished(() => emulator.close());
  // Without an address of an engine, nothing looks for one.
  const host = spawn(process.execPath, [HOST, "no-engine"], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void host.kill());
  const port = await new Promise<string>((resolve, reject) => {
    createInterface(host.stdout).once("line", resolve);
    host.once("exit", (code) => reject(new Error(`The host ended with code ${code}.`)));
  });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  onTestFinished(() => client.close());
  const served = new Served(emulator, client);
  await served.configure({
    "buildpipeline:accessToken": emulator.accessToken,
    "buildpipeline:organization": emulator.organization,
    "buildpipeline:baseUrl": emulator.url,
  });
  return served;
}

const BACKENDS = [
  { backend: "the plugin", start: () => Served.configured(), own: () => ({}) },
  { backend: "the dynamic provider", start: startHost, own: hostedBy },
];

/** A response of the service with a text in place of every text but ids and the like, and as the name of a field. */
function withText(text: string, kept: RegExp): (value: unknown) => unknown {
  const changed = (value: unknown, name = ""): unknown => {
    if (typeof value === "string") return kept.test(name) ? value : text;
    if (Array.isArray(value)) return value.map((entry) => changed(entry, name));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, entry]) => [key, changed(entry, key)]);
    return { ...Object.fromEntries(entries), [text]: text };
  };
  return (value) => changed(value);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return [...Object.keys(value), ...Object.values(value).flatMap(textsIn)];
}

const IDENTITY = /(^|_)id$|url$|_at$|^slug$|^key$/;
/** In the response to a creation the name identifies the object. */
const CREATED = /(^|_)id$|url$|_at$|^slug$|^key$|^name$/;

const NO_RESPONSE = [status.DEADLINE_EXCEEDED, status.UNAVAILABLE, status.INTERNAL, status.CANCELLED];

/** The response to a call, be it an error: it has to be one, and every text in it well-formed. */
async function responseTo<Response>(work: Promise<Response>): Promise<Response | undefined> {
  try {
    const response = await work;
    expect(textsIn(response).filter((text) => !text.isWellFormed())).toEqual([]);
    return response;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && "details" in error)) throw error;
    expect(NO_RESPONSE).not.toContain(error.code);
    expect(error.details).not.toMatch(OBEYED);
    return undefined;
  }
}

describe.each(BACKENDS)("$backend answers every request", ({ start, own }) => {
  const inputs = (kind: string, text: string) => ({ ...own(kind), name: text, organization: "acme" });

  test("whatever text the service responds with, and whatever its errors say", async () => {
    const engine = await start();
    const { emulator } = engine;
    const urn = urnOf("Cluster");
    await fc.assert(
      fc.asyncProperty(
        foreignText,
        fc.constantFrom(400, 401, 403, 404, 409, 422),
        fc.boolean(),
        async (text, refusal, plain) => {
          const faults: Fault[] = [];
          const inject = (rule: FaultRule) => {
            const fault = emulator.fault(rule);
            faults.push(fault);
            return fault;
          };
          const refuse = (method: string) =>
            inject({
              method,
              action: {
                status: refusal,
                body: plain ? text : { message: text, [text]: text, errors: [{ field: text, code: text }] },
                headers: { "content-type": plain ? "text/plain" : "application/json" },
              },
            });
          const change = (method: string, kept = IDENTITY) =>
            inject({ method, action: { change: withText(text, kept) } });
          const refusedRead = refuse("GET");
          const named = { ...own("Cluster"), name: text, import: text };
          const checked = await responseTo(engine.check(urn, named));
          // A blank name is refused without a request.
          refusedRead.remove();
          for (const { reason } of checked?.failures ?? []) expect(reason).not.toMatch(OBEYED);
          refuse("POST");
          await responseTo(engine.create(urn, inputs("Cluster", text)));
          change("POST", CREATED);
          const { id } = await engine.create(urn, inputs("Cluster", "plain"));
          change("GET");
          const read = await responseTo(engine.read(urn, id, { ...inputs("Cluster", "plain") }));
          // A blank name is no name.
          expect(read).toBeDefined();
          expect(read?.outs.name).toBe(text.toWellFormed().trim() || undefined);
          const outs = { ...read?.outs, ...own("Cluster") };
          change("GET");
          await responseTo(engine.invoke("getClusters"));
          refuse("GET");
          await responseTo(engine.invoke("getCluster", { id }));
          refuse("PUT");
          await responseTo(engine.update(urn, id, outs, inputs("Cluster", "other")));
          change("PUT");
          await responseTo(engine.update(urn, id, outs, inputs("Cluster", `${text} `)));
          await responseTo(engine.diff(urn, id, outs, inputs("Cluster", text)));
          refuse("DELETE");
          await responseTo(engine.delete(urn, id, outs));
          for (const fault of faults) fault.remove();
          for (const { message } of engine.observed) {
            expect(message).not.toMatch(OBEYED);
          }
        },
      ),
      {
        numRuns: cases(25),
        // The 500th unit is the first half of an emoji, and the text ends with half of one. After 422, which some random
        // cases have, a deletion is tried again for seconds.
        examples: someOf([
          `${"x".repeat(499)}😀${"y".repeat(30)}`,
          "half \ud83d",
          "\u2028",
          ...Object.values(SPECIAL).map((signs) => signs.join(" ")),
        ]).map((text) => [text, 400, false]),
      },
    );
  }, 300_000);

  test("of a queue that is not finished, however long its description is", async () => {
    const engine = await start();
    const cluster = await engine.create(urnOf("Cluster"), inputs("Cluster", "Main"));
    const queue = {
      ...own("Queue"),
      organization: "acme",
      clusterId: cluster.id,
      key: "q",
      description: "😀".repeat(50_000),
      dispatchPaused: true,
    };
    engine.emulator.fault({ operation: "queues.pauseDispatch", action: { status: 403, body: {} } });
    const { id, outs } = await engine.create(urnOf("Queue"), queue);
    expect(outs.description).toBe(queue.description);
    expect(engine.emulator.organizationData.queues.list()).toEqual([expect.objectContaining({ id })]);
  });

  test("whose error is longer than a header may be", async () => {
    const engine = await start();
    const name = "𝒜".repeat(100_000);
    engine.emulator.fault({
      method: "POST",
      action: { status: 422, body: { message: "no", errors: [name] } },
    });
    await responseTo(engine.create(urnOf("Cluster"), { ...inputs("Cluster", "Main"), import: name }));
    await responseTo(engine.read(urnOf(name), name, { ...inputs("Cluster", "Main"), [name]: name }));
    await responseTo(
      engine.update(urnOf("Cluster"), name, inputs("Cluster", "Main"), inputs("Cluster", name)),
    );
  });
});
