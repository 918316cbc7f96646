import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Deployment, PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { startEmulator } from "../../../src/emulator/index.js";
import { closedAtEnd, temporaryFolder } from "../ending.js";
import { TestStack } from "../stack.js";
import { deletedWith } from "./0.1.0-deleted-with/program.js";
import { everyKind } from "./0.1.0-every-kind/program.js";
import { halfMade } from "./0.1.0-half-made/program.js";
import { type Recorded, type Services, writeDataFile } from "./recorded.js";

/** What earlier versions left: by the name of its directory, which holds the state and the data of the services. */
export const recorded = {
  "0.1.0-every-kind": everyKind,
  "0.1.0-deleted-with": deletedWith,
  "0.1.0-half-made": halfMade,
} satisfies Record<string, Recorded>;

export type FixtureName = keyof typeof recorded;

/** A stack as an earlier version left it, on services that have what it had made. */
export interface Fixture {
  readonly stack: TestStack;
  readonly services: Services;
  readonly program: PulumiFn;
}

/** The name in a recorded state of the address that a service has at the moment. */
const ADDRESSES: Readonly<Record<keyof Services, string>> = {
  main: "http://main.service.example",
  second: "http://second.service.example",
};

const stateOf = (name: FixtureName) => join(__dirname, name, "stack.json");
const dataOf = (name: FixtureName, service: keyof Services) => join(__dirname, name, `${service}.json`);

/** Brings back what was recorded. The services listen on other ports than they did, and the state says so. */
export async function restore(name: FixtureName): Promise<Fixture> {
  const directory = temporaryFolder("state");
  const dataFile = (service: keyof Services) => join(directory, `${service}.db`);
  for (const service of ["main", "second"] as const)
    await writeDataFile(dataOf(name, service), dataFile(service));
  const fixture = await open(name, dataFile);
  let text = readFileSync(stateOf(name), "utf8");
  for (const service of ["main", "second"] as const) {
    text = text.replaceAll(ADDRESSES[service], fixture.services[service].url);
  }
  const deployment: Deployment = JSON.parse(text);
  await fixture.stack.import(deployment);
  return fixture;
}

/** Deploys with the code as it is and keeps what that leaves. */
export async function record(name: FixtureName): Promise<void> {
  const directory = temporaryFolder("state");
  const fresh = (service: keyof Services) => join(directory, `${service}.db`);
  const { stack, services, program } = await open(name, fresh);
  await recorded[name].prepare(services);
  // A half-made resource fails the command; what it left is checked by whoever restores it.
  await stack.up(program).catch((error: unknown) => process.stderr.write(`${error}\n`));
  let text = `${JSON.stringify(await stack.export(), withoutPositions, 2)}\n`;
  for (const service of ["main", "second"] as const) {
    text = text.replaceAll(services[service].url, ADDRESSES[service]);
  }
  writeFileSync(stateOf(name), text);
  for (const service of ["main", "second"] as const) {
    writeFileSync(dataOf(name, service), `${JSON.stringify(services[service].snapshot())}\n`);
  }
}

/** Where in the source a resource was declared is half of a state, and nothing that a command looks at. */
function withoutPositions(key: string, value: unknown): unknown {
  return key === "stackTrace" || key === "sourcePosition" ? undefined : value;
}

async function open(name: FixtureName, data: (service: keyof Services) => string): Promise<Fixture> {
  const second = closedAtEnd(
    await startEmulator({ organization: "labs", seed: false, data: data("second") }),
  );
  const stack = await TestStack.start({ organization: "acme", data: data("main") });
  const services = { main: stack.emulator, second };
  if (recorded[name].settings === "configuration") await stack.useConfiguration();
  return { stack, services, program: recorded[name].program(services) };
}
