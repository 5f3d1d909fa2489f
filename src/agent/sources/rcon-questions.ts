import {
  forgeAnswer,
  listAnswer,
  msptAnswer,
  sparkAnswer,
  tickQueryAnswer,
  tpsAnswer,
} from "./rcon-answers.ts";
import type { RconConnection } from "./rcon-client.ts";
import { chosenFigures, type Figure, type ServerAnswer } from "./rcon-figures.ts";

export interface RconAnswers {
  readonly figures: readonly Figure[];
  readonly rest: Omit<ServerAnswer, "figures">;
}

export interface RconQuestion {
  readonly command: string;
  readonly read: (answer: string) => ServerAnswer | null;
  readonly wanted: (answers: RconAnswers) => boolean;
}

const has = (answers: RconAnswers, field: Figure["field"]): boolean =>
  chosenFigures(answers.figures, field) !== undefined;

/** Whether the server counts ticks itself, as Spigot, Paper, Folia and spark do. */
export const countsTicks = (answers: RconAnswers): boolean => has(answers, "tps");

const always = (): boolean => true;
const isWhole = (answers: RconAnswers): boolean => answers.rest.regions === undefined;

const questions: readonly RconQuestion[] = [
  { command: "list", read: listAnswer, wanted: always },
  { command: "tps", read: tpsAnswer, wanted: always },
  { command: "mspt", read: msptAnswer, wanted: isWhole },
  { command: "tick query", read: tickQueryAnswer, wanted: isWhole },
  { command: "neoforge tps", read: forgeAnswer, wanted: (answers) => !countsTicks(answers) },
  {
    command: "forge tps",
    read: forgeAnswer,
    wanted: (answers) => !countsTicks(answers) && answers.rest.computedTps === undefined,
  },
  {
    command: "spark tps",
    read: sparkAnswer,
    wanted: (answers) => isWhole(answers) && !(has(answers, "mspt") && has(answers, "mspt_p95")),
  },
];

/**
 * Sends the known commands, or all if `known` is null, and resolves with those that were answered. `onAnswer`
 * gets all answers so far after each one, so that a later silence loses none.
 */
export async function askAll(
  rcon: RconConnection,
  known: readonly RconQuestion[] | null,
  signal: AbortSignal,
  onAnswer: (answers: RconAnswers) => void,
): Promise<readonly RconQuestion[]> {
  const answering: RconQuestion[] = [];
  let answers: RconAnswers = { figures: [], rest: {} };
  for (const question of known ?? questions) {
    if (!known && !question.wanted(answers)) continue;
    const answer = question.read(await rcon.execute(question.command, signal));
    if (!answer) continue;
    answering.push(question);
    const { figures, ...rest } = answer;
    answers = { figures: [...answers.figures, ...figures], rest: { ...answers.rest, ...rest } };
    onAnswer(answers);
  }
  return answering;
}
