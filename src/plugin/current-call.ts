import { AsyncLocalStorage } from "node:async_hooks";

/** The engine's call that is being worked on. */
export interface EngineCall {
  /** The resource that it is about; absent for the provider's own calls and for functions. */
  readonly urn: string | undefined;
  /** True once it sent a change: then it must end by itself, so that nothing is lost. */
  wrote: boolean;
  /** Aborted when the resource's timeout has passed. */
  deadline?: AbortSignal;
  /** Method of the request that waits for its turn or is going to be repeated. */
  waiting?: string;
}

const calls = new AsyncLocalStorage<EngineCall>();

/**
 * Returns the call that the running code belongs to. Work that several calls share belongs to the first of them.
 */
export function currentCall(): EngineCall | undefined {
  return calls.getStore();
}

/** Does the work of a call. */
export function within<Result>(call: EngineCall, work: () => Promise<Result>): Promise<Result> {
  return calls.run(call, work);
}
