import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb.js";
import { shownByEngine } from "../../shared/messages/foreign-text.js";
import { currentCall } from "./engine-call.js";
import type { Wording } from "./program-language.js";

/** Sends messages for the user to the engine, which shows them with their resource. */
export class EngineLog {
  #engine: EngineClient | undefined;
  readonly #underWay = new Set<Promise<void>>();

  constructor(private readonly wording: Wording) {}

  connect(address: string): void {
    this.#engine?.close();
    this.#engine = new EngineClient(address, credentials.createInsecure());
  }

  warning(message: string): void {
    this.#send(LogSeverity.WARNING, message, false);
  }

  remark(message: string): void {
    this.#send(LogSeverity.INFO, message, false);
  }

  /** Reports a wait: as a line of the log, and as the resource's status for as long as it lasts. */
  progress(message: string): void {
    this.remark(message);
    this.#send(LogSeverity.INFO, message, true);
  }

  async flushed(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #send(severity: LogSeverity, text: string, ephemeral: boolean): void {
    const message = this.wording(shownByEngine(text));
    const engine = this.#engine;
    if (engine === undefined) {
      process.stderr.write(`${message}\n`);
      return;
    }
    const request = new LogRequest()
      .setSeverity(severity)
      .setMessage(message)
      .setEphemeral(ephemeral)
      .setUrn(currentCall()?.urn ?? "");
    const sent = new Promise<void>((resolve) => {
      engine.log(request, (error) => {
        if (error !== null) process.stderr.write(`${message}\n`);
        resolve();
      });
    });
    this.#underWay.add(sent);
    void sent.then(() => this.#underWay.delete(sent));
  }
}
