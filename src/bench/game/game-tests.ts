import { rm } from "node:fs/promises";
import type { RconAddress } from "../../agent/sources/rcon-client.ts";
import type { BenchmarkMode } from "../../core/report/report.ts";
import type { BenchContext, BenchTest, TestResult } from "../bench-test.ts";
import { itemLoad, mobLoad } from "./entity-loads.ts";
import { measureExploration, stressExploration } from "./exploration.ts";
import { countGcLines, gameBlocksOf, MemoryRecord, noBlocks, type GameReportBlocks } from "./game-blocks.ts";
import { eulaNotAccepted, GameFailure } from "./game-failure.ts";
import { GameProcess } from "./game-process.ts";
import { hopperLoad } from "./hopper-load.ts";
import { javaArguments, javaProgram, withinHeap } from "./java-options.ts";
import type { TickLoad } from "./load.ts";
import { measureLoad } from "./measure-load.ts";
import { usualPatience, type Patience } from "./pace.ts";
import { redstoneLoad } from "./redstone-load.ts";
import { prepareScratchServer, removeForeignSettings } from "./scratch-server.ts";
import { GameSession } from "./session.ts";
import { stressLoad } from "./stress.ts";
import { TickTally } from "./tick-tally.ts";

export interface GameOptions {
  /** The owner's jar. It is started where it is, and nothing beside it is changed. */
  readonly jar: string;
  /** A program on the path, or a path. */
  readonly java: string;
  readonly javaArgs: readonly string[];
  /** The largest heap of the JVM, bytes; null: any. */
  readonly mostHeapBytes: number | null;
  /** Whether the owner accepts Mojang's licence agreement. Otherwise no server is started. */
  readonly acceptEula: boolean;
  /** An empty folder for the server; `stop` removes it. */
  readonly folder: string;
  readonly mode: BenchmarkMode;
  readonly signal: AbortSignal;
  /** Called with a sentence for the owner when a test has no figure. */
  readonly log: (line: string) => void;
  readonly patience?: Patience;
}

export interface Game {
  readonly tests: readonly BenchTest[];
  /** Call it after the tests, before `stop`. */
  blocks(): Promise<GameReportBlocks>;
  /** The peak memory of the server's process, MB; null if it did not start. */
  rssPeakMb(): number | null;
  /** Ends the server and all that it started, and removes its folder. A server that is gone is no error. */
  stop(): Promise<void>;
}

/** If the server cannot be measured, the tests say why. Rejects only with the signal's reason. */
export async function startGame(options: GameOptions): Promise<Game> {
  const { folder, signal, log } = options;
  let server: GameProcess | null = null;
  const patience = options.patience ?? usualPatience;
  const clean = async (): Promise<void> => {
    await server?.stop(patience.stop);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  try {
    signal.throwIfAborted();
    if (!options.acceptEula) throw eulaNotAccepted();
    const javaArgs = withinHeap(options.javaArgs, options.mostHeapBytes);
    const address = await prepareScratchServer(folder, options.jar);
    server = new GameProcess({
      java: javaProgram(options.java),
      arguments: javaArguments(options.jar, javaArgs),
      folder,
    });
    return await openGame(
      { ...options, javaArgs },
      server,
      await openSession(server, address, folder, patience, signal),
      clean,
    );
  } catch (error) {
    await clean();
    signal.throwIfAborted();
    if (!(error instanceof GameFailure)) throw error;
    log(error.message);
    return gameThatFails(error);
  }
}

async function openSession(
  server: GameProcess,
  address: RconAddress,
  folder: string,
  patience: Patience,
  signal: AbortSignal,
): Promise<GameSession> {
  await server.ready(patience.start, signal);
  await removeForeignSettings(folder);
  const session = await GameSession.open(server, address, patience, signal);
  await session.prepare(signal);
  return session;
}

async function openGame(
  { folder, javaArgs, mode, log }: GameOptions,
  server: GameProcess,
  session: GameSession,
  stop: Game["stop"],
): Promise<Game> {
  const tally = new TickTally();
  const pid = server.pid ?? 0;
  const memory = new MemoryRecord(pid);
  const record = {
    folder,
    pid,
    jvmOptions: javaArgs,
    tally,
    memory,
    gcLinesBefore: await countGcLines(folder),
  };
  return {
    tests: testsWith(mode, async (test, context) => {
      const began = performance.now();
      try {
        server.throwIfUnusable();
        return await (mode === "stresslimit" ? test.stress : test.standard)(session, tally, context);
      } catch (error) {
        context.signal.throwIfAborted();
        if (!(error instanceof GameFailure)) throw error;
        log(`${test.id}: ${error.message}`);
        return failed(error);
      } finally {
        tally.addSeconds((performance.now() - began) / 1000);
      }
    }),
    blocks: () => gameBlocksOf(record),
    rssPeakMb: () => memory.rssPeakMb,
    async stop() {
      memory.stop();
      session.console.close();
      await stop();
    },
  };
}

const gameThatFails = (reason: GameFailure): Game => ({
  tests: testsWith("custom", async () => failed(reason)),
  blocks: async () => noBlocks,
  rssPeakMb: () => null,
  stop: async () => undefined,
});

const failed = ({ outcome, reasonCode }: GameFailure): TestResult => ({ outcome, reason_code: reasonCode });

type Measure = (session: GameSession, tally: TickTally, context: BenchContext) => Promise<TestResult>;

interface GameTest extends Pick<BenchTest, "id" | "name" | "category" | "seconds"> {
  readonly standard: Measure;
  readonly stress: Measure;
}

const loadTest = (load: TickLoad): GameTest => ({
  id: load.id,
  name: load.name,
  category: load.category,
  seconds: 75,
  standard: (...of) => measureLoad(load, ...of),
  stress: (...of) => stressLoad(load, ...of),
});

const gameTests: readonly GameTest[] = [
  {
    id: "exploration_chunk_generation",
    name: "Making chunks",
    category: "exploration",
    seconds: 60,
    standard: (session, _tally, context) => measureExploration(session, context),
    stress: stressExploration,
  },
  ...[mobLoad, itemLoad, redstoneLoad, hopperLoad].map(loadTest),
];

/** A ladder of about 14 rungs, s. */
const ladderSeconds = 450;

const testsWith = (
  mode: BenchmarkMode,
  run: (test: GameTest, context: BenchContext) => Promise<TestResult>,
): readonly BenchTest[] =>
  gameTests.map((test) => ({
    id: test.id,
    name: test.name,
    category: test.category,
    seconds: mode === "stresslimit" ? ladderSeconds : test.seconds,
    run: (context) => run(test, context),
  }));
