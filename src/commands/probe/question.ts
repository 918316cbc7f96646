import type { Variations } from "../../emulator/index.js";
import type { Service } from "./probed-service.js";

/** Names of the questions: the variations of the emulator that their answers set. */
export type QuestionName = keyof Variations;

export interface Question<Value> {
  readonly asks: string;
  /** What the API's documentation says, where it says something. */
  readonly document?: string;
  /** What the provider or the client does, whatever the answer is. */
  readonly copes: string;
  /** Asks the service. A text: why no probe asks it. @throws NoAnswer if nothing shows the answer */
  readonly answer: ((service: Service) => Value | Promise<Value>) | string;
}

export type Questions = { readonly [Name in QuestionName]: Question<Variations[Name]> };
