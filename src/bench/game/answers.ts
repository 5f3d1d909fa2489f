/**
 * The answers of the game's commands that the tests read, as the language file of the game has them (`en_us`). A server
 * answers its remote console in that language whatever the language of its machine is.
 */

/** `tick freeze`, `tick unfreeze`; a game that lags right then says so. */
export const frozenAnswer = /game is frozen/;
export const runningAnswer = /game is running/;
/** `tick sprint`; the line of a sprint that it interrupted may stand before it. */
export const sprintingAnswer = /game is sprinting/;
export const steppingAnswer = /Stepping \d{1,9} tick/;

/** The report of a sprint, in the log: the console that started it gets none. Some locales write a decimal comma. */
export const sprintReport =
  /Sprint completed with \d{1,9} ticks per second, or (\d{1,9}[.,]\d{1,3}) ms per tick/;

/** One chunk has words of its own, without a number. */
export const addedChunks = /Marked (?:(\d{1,9}) chunks|chunk \[[-\d, ]{1,30}\]) in \S+ (?:from|to) /;
export const removedChunks =
  /Unmarked (?:all|\d{1,9} chunks|chunk)|No chunks were removed from force loading/;

/** `function`: the game only says that it runs. */
export const functionAnswer = /Running function \S+|Executed \d{1,9} commands? /;

/** `execute if …` without a count, and with one. A test that fails on entities has the count left out. */
export const testAnswer = /Test (passed|failed)/;
export const countAnswer = /Test passed[.,] count: (\d{1,9})|Test failed/i;

export const killedAnswer = /Killed |No entity was found/;
export const scoreAnswer = /\bhas (-?\d{1,10}) \[/;
export const savingOffAnswer = /Automatic saving is now disabled|Saving is already turned off/;

/** `data get block`: slots as the game writes them, `count: 64` since 1.20.5, `Count: 64b` before. */
export const blockDataAnswer = /has the following block data: ([\s\S]*)|Found no elements matching /;

/** The number of items in the slots of a container. */
export const itemsIn = (slots: string): number =>
  [...slots.matchAll(/\b[Cc]ount: (\d{1,3})b?\b/g)].reduce((sum, [, count]) => sum + Number(count), 0);

/** The number that an answer with a count holds: a failed test has found nothing. */
export const countIn = ([, count]: RegExpExecArray): number => Number(count ?? 0);
