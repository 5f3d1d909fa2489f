import { foliaAnswer } from "./rcon-folia.ts";
import {
  figure,
  numberAfter,
  numbersIn,
  withoutFormatting,
  type Figure,
  type ServerAnswer,
} from "./rcon-figures.ts";

/** The windows in a header such as `from last 5s, 1m, 15m`, ms. */
function windowsIn(header: string): number[] {
  return [...header.matchAll(/(\d{1,3})\s?([smh])/g)].map(
    ([, count, unit]) => Number(count) * (unit === "s" ? 1000 : unit === "m" ? 60_000 : 3_600_000),
  );
}

/** The windows behind `header`, and the text after their colon. */
function windowed(text: string, header: string): { windows: number[]; behind: string } | null {
  const from = text.indexOf(header);
  const colon = from < 0 ? -1 : text.indexOf(":", from);
  if (colon < 0 || colon - from > 200) return null;
  const windows = windowsIn(text.slice(from + header.length, colon));
  return windows.length === 0 ? null : { windows, behind: text.slice(colon + 1, colon + 400) };
}

/** `TPS from last 1m, 5m, 15m: *20.0, 20.0, 20.0` of Spigot, Paper, Purpur (5s first) and spark. */
function tpsFigures(text: string): Figure[] {
  const found = windowed(text, "TPS from last");
  if (!found) return [];
  const values = numbersIn(found.behind);
  if (values.length < found.windows.length) return [];
  return found.windows.flatMap((windowMs, index) => figure("tps", values[index], windowMs));
}

/** Groups such as `14.3/0.1/720.7`, of `count` numbers each. */
const slashed = (text: string, count: number): number[][] =>
  text
    .split(/[^\d.,/]/)
    .map((group) => group.split("/").flatMap((part) => numbersIn(part).slice(0, 1)))
    .filter((numbers) => numbers.length === count);

/** `Server tick times (avg/min/max) from last 5s, 10s, 1m: 14.3/0.1/720.7, …` of Paper. */
export function msptAnswer(answer: string): ServerAnswer | null {
  const text = withoutFormatting(answer);
  if (!text.includes("avg/min/max")) return null;
  const found = windowed(text.slice(text.indexOf("avg/min/max")), "avg/min/max");
  if (!found) return null;
  const triples = slashed(found.behind, 3);
  if (triples.length < found.windows.length) return null;
  const figures: Figure[] = [];
  for (const [index, windowMs] of found.windows.entries()) {
    figures.push(...figure("mspt", triples[index]?.[0], windowMs));
    figures.push(...figure("worst_tick_ms", triples[index]?.[2], windowMs));
  }
  return figures.length === 0 ? null : { figures };
}

/** Spigot, Paper, Purpur; on Folia the same command reports its regions. */
export function tpsAnswer(answer: string): ServerAnswer | null {
  const text = withoutFormatting(answer);
  const folia = foliaAnswer(text);
  if (folia) return folia;
  const figures = text.startsWith("Global TPS: ") ? cuberiteTps(text) : tpsFigures(text);
  return figures.length === 0 ? null : { figures };
}

/** Cuberite counts each world's last ten ticks; the slowest world is the server's. */
function cuberiteTps(text: string): Figure[] {
  const worlds = [...text.matchAll(/^World "[^"\n]{1,100}": (\d{1,7}(?:\.\d{1,9})?) TPS$/gm)];
  const slowest = Math.min(...worlds.map(([, tps]) => Number(tps)));
  return Number.isFinite(slowest) ? figure("tps", slowest, tenTicksMs) : [];
}

const tenTicksMs = 500;

/** spark's median is no mean, so it gives no `mspt`. */
export function sparkAnswer(answer: string): ServerAnswer | null {
  const text = withoutFormatting(answer);
  const figures = tpsFigures(text);
  const found = windowed(text, "95%ile/max ms) from last");
  const quads = found ? slashed(found.behind, 4) : [];
  if (found && quads.length >= found.windows.length) {
    for (const [index, windowMs] of found.windows.entries()) {
      figures.push(...figure("mspt_p95", quads[index]?.[2], windowMs));
      figures.push(...figure("worst_tick_ms", quads[index]?.[3], windowMs));
    }
  }
  return figures.length === 0 ? null : { figures };
}

/** The game keeps the times of its last 100 ticks, 5 s of them at full speed (`MinecraftServer`, 1.20.3). */
const hundredTicksMs = 5000;

/** `tick query` of every game since 1.20.3. Its lines may arrive without separators. */
export function tickQueryAnswer(answer: string): ServerAnswer | null {
  const text = withoutFormatting(answer);
  const target = numberAfter(text, "Target tick rate: ");
  const average = numberAfter(text, "Average time per tick: ");
  if (target === undefined || average === undefined) return null;
  const pace = text.includes("game is frozen")
    ? "frozen"
    : text.includes("game is sprinting") || text.includes("reference only")
      ? "sprinting"
      : "running";
  return {
    figures: [
      ...figure("mspt", average, hundredTicksMs),
      ...figure("mspt_p95", numberAfter(text, "P95: "), hundredTicksMs),
    ],
    pace,
    targetTps: target,
  };
}

/**
 * `forge tps` (`Overall: Mean tick time: 1.2 ms. Mean TPS: 20.0`) and `neoforge tps` (`Overall: 20.000 TPS
 * (1.234 ms/tick)`). Both compute the rate from the mean of 100 ticks, and count none.
 */
export function forgeAnswer(answer: string): ServerAnswer | null {
  const text = withoutFormatting(answer);
  const from = text.lastIndexOf("Overall");
  if (from < 0) return null;
  const overall = text.slice(from, from + 160);
  const isNeo = overall.includes("ms/tick");
  const [first, second] = numbersIn(overall);
  const mspt = isNeo ? second : numberAfter(overall, "tick time: ");
  const tps = isNeo ? first : numberAfter(overall, "Mean TPS: ");
  if (mspt === undefined || tps === undefined) return null;
  return { figures: figure("mspt", mspt, hundredTicksMs), computedTps: Math.min(tps, 20) };
}

const counts = [
  /There are (\d{1,6}) of a max(?:imum)?(?: of)? \d{1,9} players/,
  /There are (\d{1,6})\/\d{1,9} players/,
  // Cuberite.
  /^Players \((\d{1,6})\): /,
  /There are (\d{1,6}) out of(?: a)? max(?:imum)?(?: of)? \d{1,9} players/,
];

/**
 * EssentialsX in other languages: the players online, with the hidden ones behind them (`1/2`, `1 (2)`), then the
 * most that may be. Both are in the first line with a number; names are in the lines below.
 */
const wholeNumber = String.raw`(?<![\d.,])(\d{1,6})(?![\da-zA-Z]|[.,]\d)`;
const wholeNumbers = new RegExp(wholeNumber, "g");
/** Korean names the most first. */
const mostFirst = new RegExp(String.raw`^최대 ?\d{1,6} ?명[^\d]{1,40}${wholeNumber}`);
const longestCountLine = 300;

function otherLanguage(text: string): number | null {
  const line =
    text
      .split("\n")
      .find((each) => /\d/.test(each))
      ?.trim() ?? "";
  if (line.length > longestCountLine) return null;
  const [, korean] = mostFirst.exec(line) ?? [];
  if (korean !== undefined) return Number(korean);
  const [count, ...behind] = [...line.matchAll(wholeNumbers)].slice(0, 3).map(([number]) => Number(number));
  // More than may be is something else: the ping tells then.
  return count !== undefined && count <= Math.max(-1, ...behind) ? count : null;
}

/** Players online by `list`; the names are not looked at. */
export function listAnswer(answer: string): ServerAnswer | null {
  const text = withoutFormatting(answer);
  for (const count of counts) {
    const found = count.exec(text);
    if (found) return { figures: [], playerCount: Number(found[1]) };
  }
  const playerCount = otherLanguage(text);
  return playerCount === null ? null : { figures: [], playerCount };
}

/** Ticks since the world was made, from `The time is 4711`, since 26.1 `The game time is …`. */
export function gameTimeAnswer(answer: string): ServerAnswer | null {
  const found = /[Tt]ime is (\d{1,15})/.exec(withoutFormatting(answer));
  return found ? { figures: [], gameTime: Number(found[1]) } : null;
}
