/** Answers of the game's commands, in the words of `en_us`: a remote console always gets this language. */

/** `tick freeze`, `tick unfreeze`; a game that lags says that too. */
export const frozenAnswer = /game is frozen/;
export const runningAnswer = /game is running/;
/** `tick sprint`; a line about an interrupted sprint may come first. */
export const sprintingAnswer = /game is sprinting/;
export const steppingAnswer = /Stepping \d{1,9} tick/;

/** The report of a sprint is in the log only, not on the console. Some locales write a decimal comma. */
export const sprintReport =
  /Sprint completed with \d{1,9} ticks per second, or (\d{1,9}[.,]\d{1,3}) ms per tick/;

/** The answer about one chunk has no number. */
export const addedChunks = /Marked (?:(\d{1,9}) chunks|chunk \[[-\d, ]{1,30}\]) in \S+ (?:from|to) /;
export const removedChunks =
  /Unmarked (?:all|\d{1,9} chunks|chunk)|No chunks were removed from force loading/;

/** `function`: the game only says that it runs. */
export const functionAnswer = /Running function \S+|Executed \d{1,9} commands? /;

/** `execute if …` without and with a count. A failed test on entities has no count. */
export const testAnswer = /Test (passed|failed)/;
export const countAnswer = /Test passed[.,] count: (\d{1,9})|Test failed/i;

export const killedAnswer = /Killed |No entity was found/;
export const scoreAnswer = /\bhas (-?\d{1,10}) \[/;
export const savingOffAnswer = /Automatic saving is now disabled|Saving is already turned off/;

/** `data get block`: slots have `count: 64` since 1.20.5, and `Count: 64b` before. */
export const blockDataAnswer = /has the following block data: ([\s\S]*)|Found no elements matching /;

export const itemsIn = (slots: string): number =>
  [...slots.matchAll(/\b[Cc]ount: (\d{1,3})b?\b/g)].reduce((sum, [, count]) => sum + Number(count), 0);

/** 0 for a failed test, whose answer has no count. */
export const countIn = ([, count]: RegExpExecArray): number => Number(count ?? 0);
