import type { Act, Meeting } from "./acts.js";
import { type Chapter, type History, type Trouble, usual } from "./history.js";
import type { Declared } from "./program.js";

/** Histories as a person writes them: only what matters is said. */

export const chapter = (program: readonly Declared[], more: Partial<Chapter> = {}): Chapter => ({
  between: [],
  meanwhile: [],
  program,
  renamed: [],
  bridge: "nothing",
  imports: [],
  command: { what: "up" },
  settings: usual,
  troubles: [],
  ...more,
});

export const history = (chapters: readonly Chapter[], more: Partial<History> = {}): History => ({
  backend: "dynamic",
  order: 0,
  page: 100,
  suiteSlug: "kept",
  teamResponse: "full",
  chapters,
  ...more,
});

export const act = (what: Act["what"], kind: string, pick = 0, who: Act["who"] = "colleague"): Act => ({
  who,
  what,
  kind,
  pick,
});

export const before = (operation: string, does: Act, skip = 0, seconds = 0): Meeting => ({
  act: does,
  before: operation,
  skip,
  seconds,
});

export const trouble = (operation: string, mishap: string): Trouble => ({
  operation,
  mishap,
  after: 0,
  times: 1,
});
