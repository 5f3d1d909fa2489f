import { fullRate } from "../../core/metric/target-rate.ts";
import type { ServerInstall } from "../install/server-install.ts";
import { thisMachine } from "../../linux/proc.ts";
import { processIdentity } from "../process/find-process.ts";
import { listenersOn } from "../process/listening.ts";
import { lacksRcon, transportOf, type ServerKind } from "../install/server-kind.ts";
import type { Finding, Measured, Reading, ServerConsole, Source } from "./source.ts";
import {
  connectRcon,
  RconAbsent,
  RconRefused,
  RconSilence,
  unknownManners,
  type RconConnection,
} from "./rcon-client.ts";
import { chosenFigures } from "./rcon-figures.ts";
import { askAll, countsTicks, type RconQuestion, type RconAnswers } from "./rcon-questions.ts";
import { tickCounter } from "./rcon-rate.ts";
import { retryBound } from "./retry-bound.ts";

interface Conversation {
  readonly rcon: RconConnection;
  readonly rate: ReturnType<typeof tickCounter>;
  /** The commands that this server answers; null before the first reading. */
  known: readonly RconQuestion[] | null;
  lastWorst: number | null;
}

/** One refusal is enough, and an attempt that nobody sees may be repeated. */
function enoughFailures(error: unknown): number | null {
  if (error instanceof RconRefused) return 1;
  return error instanceof RconAbsent ? Infinity : null;
}

export interface RconSource extends Source {
  /** Null if the server's settings switch the console off. */
  readonly console: ServerConsole | null;
}

export function rconSource(install: ServerInstall, elapsed?: () => number): RconSource {
  const manners = unknownManners();
  const bounded = retryBound({
    enough: enoughFailures,
    who: () => processIdentity(install),
    ...(elapsed && { elapsed }),
  });
  let current: Conversation | null = null;

  const open = async (signal: AbortSignal): Promise<Conversation> => {
    if (!install.rcon) throw new Error("RCON is switched off.");
    if (current?.rcon.isOpen) return current;
    const rcon = await connectRcon({ host: install.host, ...install.rcon }, signal, manners);
    current = { rcon, rate: tickCounter(rcon), known: null, lastWorst: null };
    return current;
  };

  const inTurn = oneAtATime();

  const ask = async (signal: AbortSignal): Promise<Reading> => {
    if (!(await mayBeAsked(install))) throw new Error("The server does not take players yet.");
    return bounded(async () => {
      const { takesMark } = manners;
      try {
        return await converse(await open(signal), signal);
      } catch (error) {
        // It closed on the mark of the end, which is not sent to it again.
        if (manners.takesMark === takesMark || current?.rcon.isOpen) throw error;
        return converse(await open(signal), signal);
      }
    });
  };

  return {
    name: "RCON",
    async check(signal) {
      if (!install.rcon) return [switchedOff(install.kind)];
      try {
        const { measured } = await inTurn(() => ask(signal));
        const waitingMs = current?.rcon.waitingMs() ?? null;
        return [waitingMs === null ? answers(current?.known ?? [], measured) : silent(waitingMs)];
      } catch (error) {
        return [{ able: false, about, says: error instanceof Error ? error.message : "It cannot be read." }];
      }
    },
    read: async (_now, signal) => (install.rcon ? inTurn(() => ask(signal)) : {}),
    console: install.rcon
      ? {
          run: (command, signal) =>
            inTurn(async () => (await open(signal)).rcon.execute(command, signal, commandMs)),
        }
      : null,
    async close() {
      current?.rcon.close();
    },
  };
}

/** A server that lags answers late, ms. */
const commandMs = 10_000;

/** A connection takes one command at a time. */
function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}

/** A server that listens for players has started. */
const mayBeAsked = async ({ kind, port }: ServerInstall): Promise<boolean> =>
  !kind.isConsoleEarly || (await listenersOn(thisMachine, port, transportOf(kind))).length > 0;

async function converse(conversation: Conversation, signal: AbortSignal): Promise<Reading> {
  const { rcon } = conversation;
  let rconAnswers: RconAnswers = { figures: [], rest: {} };
  try {
    const answering = await askAll(rcon, conversation.known, signal, (all) => (rconAnswers = all));
    // A server that still starts may know no command yet.
    conversation.known = answering.length > 0 ? answering : null;
    const rate = countsTicks(rconAnswers) ? {} : await conversation.rate(rconAnswers, signal);
    const answerMs = rcon.lastAnswerMs();
    return {
      measured: { ...measuredFrom(rconAnswers, rate), ...worstOf(conversation, rconAnswers, rate) },
      // The game answers on its main thread, so this is the age of the last tick, unless it is paused.
      ...(answerMs !== null && rate.paused_empty !== true && { lastTickAgeMs: Math.round(answerMs) }),
    };
  } catch (error) {
    const waitingMs = rcon.waitingMs();
    if (!(error instanceof RconSilence) || waitingMs === null) throw error;
    return { measured: measuredFrom(rconAnswers, {}), lastTickAgeMs: Math.round(waitingMs) };
  }
}

function measuredFrom({ figures, rest }: RconAnswers, rate: Measured): Measured {
  const isRunning = (rest.pace ?? "running") === "running";
  const tps = chosenFigures(figures, "tps")?.value ?? rate.tps ?? rest.computedTps;
  const mspt = chosenFigures(figures, "mspt")?.value;
  const p95 = chosenFigures(figures, "mspt_p95")?.value;
  return {
    ...rest.regions,
    ...(rest.playerCount !== undefined && { player_count: rest.playerCount }),
    ...rate,
    ...(rate.paused_empty !== true && {
      ...(isRunning && tps !== undefined && { tps }),
      ...(rest.targetTps !== undefined && { target_tps: Math.min(rest.targetTps, fullRate) }),
      ...(mspt !== undefined && { mspt }),
      ...(p95 !== undefined && { mspt_p95: p95 }),
    }),
  };
}

/** A slow tick stays in the server's window longer than one sample lasts, and is reported once. */
function worstOf(conversation: Conversation, { figures }: RconAnswers, rate: Measured): Measured {
  const worst = chosenFigures(figures, "worst_tick_ms")?.value ?? null;
  const isNew = worst !== conversation.lastWorst;
  conversation.lastWorst = worst;
  return worst === null || !isNew || rate.paused_empty === true ? {} : { worst_tick_ms: worst };
}

const about = "RCON";

const switchedOff = (kind: ServerKind): Finding => ({
  able: false,
  about,
  says: kind.hasRcon
    ? `RCON is switched off. It gives TPS, tick times and players: ${kind.rconSettings}, and restart the server.`
    : lacksRcon(kind),
});

const silent = (waitingMs: number): Finding => ({
  able: false,
  about,
  says: `The password is right, but the game has not answered for ${Math.round(waitingMs / 1000)} s: its main thread is busy or stuck.`,
});

function answers(known: readonly RconQuestion[], measured: Measured = {}): Finding {
  const commands = known.map(({ command }) => command).join(", ");
  const fields = ["tps", "mspt", "mspt_p95", "worst_tick_ms", "player_count"] as const;
  const measuredFields = fields.filter((field) => measured[field] !== undefined);
  return measuredFields.length === 0
    ? {
        able: false,
        about,
        says: "RCON accepts the password, but none of the commands that show how the game runs.",
      }
    : { able: true, about, says: `Answers ${commands}; tells ${measuredFields.join(", ")}.` };
}
