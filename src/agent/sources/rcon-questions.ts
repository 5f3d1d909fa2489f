import {
  forgeAnswer,
  listAnswer,
  msptAnswer,
  sparkAnswer,
  tickQueryAnswer,
  tpsAnswer,
} from "./rcon-answers.ts";
import type { RconConnection } from "./rcon-client.ts";
import { chosen, type Figure, type ServerAnswer } from "./rcon-figures.ts";

/** What all answers of one reading told together. */
export interface Told {
  readonly figures: readonly Figure[];
  readonly rest: Omit<ServerAnswer, "figures">;
}

export interface Question {
  readonly command: string;
  readonly read: (answer: string) => ServerAnswer | null;
  /** Whether it is worth asking after what the ones before it told. */
  readonly wanted: (told: Told) => boolean;
}

const has = (told: Told, field: Figure["field"]): boolean => chosen(told.figures, field) !== undefined;

/** Whether the server itself counts ticks, as Spigot, Paper, Folia and spark do. */
export const countsTicks = (told: Told): boolean => has(told, "tps");

const always = (): boolean => true;
const isWhole = (told: Told): boolean => told.rest.regions === undefined;

const questions: readonly Question[] = [
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
  known: readonly Question[] | null,
  signal: AbortSignal,
  onAnswer: (told: Told) => void,
): Promise<readonly Question[]> {
  const answering: Question[] = [];
  let told: Told = { figures: [], rest: {} };
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
