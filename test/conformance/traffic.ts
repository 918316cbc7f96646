import { Agent, type Dispatcher } from "undici";

/** An answer as it came over the wire, before the client looked at it. */
export interface WireAnswer {
  readonly method: string;
  /** Path with the query. */
  readonly target: string;
  readonly status: number;
  readonly link: string | undefined;
  /** The parsed JSON; the text where it is none; undefined where there is no body. */
  readonly body: unknown;
}

/** A network that notes the answers that pass through it. */
export class Traffic {
  readonly answers: WireAnswer[] = [];
  readonly dispatcher: Dispatcher;
  readonly #agent = new Agent();

  constructor() {
    this.dispatcher = this.#agent.compose(
      (dispatch) => (request, handler) => dispatch(request, this.#noting(request, handler)),
    );
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  #noting(
    { method, path }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): Dispatcher.DispatchHandler {
    const chunks: Buffer[] = [];
    let start = { status: 0, link: undefined as string | undefined };
    return {
      onRequestStart: (...given) => handler.onRequestStart?.(...given),
      onResponseStart: (controller, status, headers, text) => {
        start = { status, link: headers.link === undefined ? undefined : String(headers.link) };
        handler.onResponseStart?.(controller, status, headers, text);
      },
      onResponseData: (controller, chunk) => {
        chunks.push(chunk);
        handler.onResponseData?.(controller, chunk);
      },
      onResponseEnd: (...given) => {
        const body = parsed(Buffer.concat(chunks).toString("utf8"));
        this.answers.push({ method, target: path, ...start, body });
        handler.onResponseEnd?.(...given);
      },
      onResponseError: (...given) => handler.onResponseError?.(...given),
      onRequestSent: () => handler.onRequestSent?.(),
      onBodySent: (...given) => handler.onBodySent?.(...given),
      onResponseStarted: () => handler.onResponseStarted?.(),
    };
  }
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
