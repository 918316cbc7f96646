import { join } from "node:path";
import ts from "typescript";
import { expect, test, vi } from "vitest";
import { programOf } from "../../examples/compiler.js";
import { isWhole } from "../../support/cases.js";
import { CHECKOUT } from "../../support/checkout.js";

// The compiler reads all that the package and its users' SDK declare.
vi.setConfig({ testTimeout: 300_000 });

const PROGRAM = `
import { Cluster, getQueue, Provider } from "pulumi-buildpipeline";
import { BuildPipelineClient, type AgentToken, type Job, type Queue } from "pulumi-buildpipeline/client";
import { startEmulator, type QueueRecord } from "pulumi-buildpipeline/emulator";
import * as native from "pulumi-buildpipeline/native";
import { provider } from "pulumi-buildpipeline/provider";
export const used = [Cluster, getQueue, Provider, BuildPipelineClient, startEmulator, native.Cluster, provider];
export function fields(queue: Queue, record: QueueRecord, token: AgentToken, job: Job) {
  const texts: (string | null | undefined)[] = [queue.key, queue.description, queue.created_by?.name, record.key];
  const addresses: string | string[] | null | undefined = token.allowed_ip_addresses;
  const paused: boolean = queue.dispatch_paused;
  // @ts-expect-error: no type is lost, so that anything would fit.
  const wrong: number = queue.key;
  // @ts-expect-error
  const lost: number = job.id;
  return [texts, addresses, paused, wrong, lost];
}`;

const { ModuleKind, ModuleResolutionKind } = ts;

// The rest is what Pulumi's templates have: no skipLibCheck, no esModuleInterop.
test.runIf(isWhole).each([
  ["node", ModuleKind.CommonJS, ModuleResolutionKind.Node10],
  ["node16", ModuleKind.Node16, ModuleResolutionKind.Node16],
  ["nodenext", ModuleKind.NodeNext, ModuleResolutionKind.NodeNext],
  ["bundler", ModuleKind.ESNext, ModuleResolutionKind.Bundler],
])(
  "Every entry compiles with the settings of Pulumi's templates and moduleResolution: %s",
  (_, module, resolution) => {
    const file = ".buildpipeline/test/declarations/index.ts";
    const program = programOf(
      { [file]: PROGRAM },
      {
        strict: true,
        target: ts.ScriptTarget.ES2020,
        module,
        moduleResolution: resolution,
        esModuleInterop: false,
        allowSyntheticDefaultImports: false,
        ignoreDeprecations: "6.0",
        skipLibCheck: false,
        types: ["node"],
        // Neither the client nor the emulator needs a browser.
        lib: ["lib.es2023.d.ts"],
      },
    );
    // Other packages' own declarations are theirs.
    const own = (name: string) => name === join(CHECKOUT, file) || name.startsWith(join(CHECKOUT, "dist"));
    const sources = program.getSourceFiles().filter(({ fileName }) => own(fileName));
    expect(sources.length).toBeGreaterThan(100);
    const found = sources.flatMap((source) => [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]);
    const texts = found.map(({ file, messageText }) =>
      [file?.fileName, ts.flattenDiagnosticMessageText(messageText, " ")].join(": "),
    );
    expect(texts).toEqual([]);
    // Their declarations don't compile with these settings.
    expect(
      program.getSourceFiles().filter(({ fileName }) => /node_modules\/(?:zod|hono)\//.test(fileName)),
    ).toEqual([]);
  },
);
