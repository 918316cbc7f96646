import { ofClusters } from "./of-clusters.js";
import { ofLists } from "./of-lists.js";
import { ofTeams } from "./of-teams.js";
import type { QuestionName, Questions } from "./question.js";

/** Every question, in the order in which it is asked and printed. */
export const questions: Questions = { ...ofClusters, ...ofTeams, ...ofLists };

export const questionNames = Object.keys(questions) as QuestionName[];
