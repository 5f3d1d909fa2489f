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

/** What all answers of one reading told together. */
export interface RconAnswers {
  readonly figures: readonly Figure[];
  readonly rest: Omit<ServerAnswer, "figures">;
}

export interface RconQuestion {
  readonly command: string;
  readonly read: (answer: string) => ServerAnswer | null;
  /** Whether it is worth asking after what the ones before it told. */
  readonly wanted: (told: RconAnswers) => boolean;
}

const has = (told: RconAnswers, field: Figure["field"]): boolean =>
  chosenFigures(told.figures, field) !== undefined;

/** Whether the server itself counts ticks, as Spigot, Paper, Folia and spark do. */
export const countsTicks = (told: RconAnswers): boolean => has(told, "tps");

const always = (): boolean => true;
const isWhole = (told: RconAnswers): boolean => told.rest.regions === undefined;

const questions: readonly RconQuestion[] = [
  { command: "list", read: listAnswer, wanted: always },
  { command: "tps", read: tpsAnswer, wanted: always },
  { command: "mspt", read: msptAnswer, wanted: isWhole },
  { command: "tick query", read: tickQueryAnswer, wanted: isWhole },
  { command: "neoforge tps", read: forgeAnswer, wanted: (told) => !countsTicks(told) },
  {
    command: "forge tps",
    read: forgeAnswer,
    wanted: (told) => !countsTicks(told) && told.rest.computedTps === undefined,
  },
  {
    command: "spark tps",
    read: sparkAnswer,
    wanted: (told) => isWhole(told) && !(has(told, "mspt") && has(told, "mspt_p95")),
  },
];

/**
 * Asks the questions this server is known to answer, in a fixed order; all of them when `known` is null. `onAnswer`
 * hears of everything told so far after each, so that what was told before a silence is not lost. Resolves with
 * those that were answered.
 */
export async function askAll(
  rcon: RconConnection,
  known: readonly RconQuestion[] | null,
  signal: AbortSignal,
  onAnswer: (told: RconAnswers) => void,
): Promise<readonly RconQuestion[]> {
  const answering: RconQuestion[] = [];
  let told: RconAnswers = { figures: [], rest: {} };
  for (const question of known ?? questions) {
    if (!known && !question.wanted(told)) continue;
    const answer = question.read(await rcon.ask(question.command, signal));
    if (!answer) continue;
    answering.push(question);
    const { figures, ...rest } = answer;
    told = { figures: [...told.figures, ...figures], rest: { ...told.rest, ...rest } };
    onAnswer(told);
  }
  return answering;
}
