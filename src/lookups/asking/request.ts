import type { BuildPipelineClient } from "../../client/index.js";

/** What can stand in a request, so that two requests can be told apart. */
export type RequestPart = string | number | boolean | undefined | object;

/** One question to the service. The same question with the same parts has one answer within a run. */
export interface Request<Parts extends readonly RequestPart[], Answer> {
  /** Names the question, as no other does. */
  readonly id: string;
  readonly send: (client: BuildPipelineClient, ...parts: Parts) => Promise<Answer>;
}

/** Declares a question. */
export function request<Parts extends readonly RequestPart[], Answer>(
  id: string,
  send: (client: BuildPipelineClient, ...parts: Parts) => Promise<Answer>,
): Request<Parts, Answer> {
  return { id, send };
}
