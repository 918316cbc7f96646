import { Agent, MockAgent } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { ACCESS_TOKEN, answer, CLUSTER, connect, get, rejection, serve } from "../service.js";

test("the network can be handed in, and stays open when the client is closed", async () => {
  const service = await serve(answer(200, CLUSTER));
  const dispatcher = new Agent();
  onTestFinished(() => dispatcher.close());
  const client = connect("http://127.0.0.1:1", {
    dispatcher: dispatcher.compose(
      (dispatch) => (options, handler) => dispatch({ ...options, origin: service.url }, handler),
    ),
  });
  expect(await get(client)).toEqual(CLUSTER);
  await client.close();
  expect(await get(client)).toEqual(CLUSTER);
});

test("a network in memory will do", async () => {
  const dispatcher = new MockAgent();
  onTestFinished(() => dispatcher.close());
  dispatcher.disableNetConnect();
  const pool = dispatcher.get("https://service.example.com");
  const path = "/v2/organizations/acme/clusters/c-1";
  pool.intercept({ path }).reply(503, {});
  pool.intercept({ path }).replyWithError(Object.assign(new Error("reset"), { code: "ECONNRESET" }));
  pool.intercept({ path }).reply(200, CLUSTER, { headers: { "content-type": "application/json" } });
  const client = connect("https://service.example.com", { dispatcher });
  expect(await get(client)).toEqual(CLUSTER);
});

test("an error of the network that quotes the request does not show the access token", async () => {
  const dispatcher = new MockAgent();
  onTestFinished(() => dispatcher.close());
  const quoting = new Error(`refused: {"authorization":"Bearer ${ACCESS_TOKEN}"}`);
  dispatcher.get("https://service.example.com").intercept({ path: /.*/ }).replyWithError(quoting).persist();
  const client = connect("https://service.example.com", { dispatcher });
  const error = await rejection(get(client));
  expect(error).toMatchObject({ name: "ConnectionError", message: expect.stringContaining("refused: ") });
  expect(error).toMatchObject({ message: expect.not.stringContaining(ACCESS_TOKEN) });
  expect(error).toMatchObject({ cause: { message: expect.not.stringContaining(ACCESS_TOKEN) } });
});
