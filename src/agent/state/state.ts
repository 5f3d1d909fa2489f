import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { failureCode, isAbsent, nullIfAbsent } from "../../core/failure-code.ts";
import { toTimestamp, type Instant } from "../../core/time.ts";
import { writeWhole } from "../files/files.ts";
import { oneLine } from "../one-line.ts";
import { LogMemory, type LostMemory } from "./log-memory.ts";

/** The result of `agent link`, which `agent run` needs. */
const Link = z.object({
  url: z.string(),
  server_id: z.string(),
  auth_token: z.string(),
  /** Where the server is, as given or found when it was linked. */
  server: z.object({
    directory: z.string(),
    port: z.number().exactOptional(),
    log: z.string().exactOptional(),
    gcLog: z.string().exactOptional(),
    metricsUrl: z.string().exactOptional(),
  }),
});
export type Link = z.output<typeof Link>;

/** A file of the state with content that no agent wrote. */
class WrongContent extends Error {}

const advice = "Make this user its owner, or remove the file and link again.";

const Installation = z.object({ installation_id: z.string() });
const Pause = z.object({ since: z.string(), announced: z.boolean() });

/** The files of an agent between two starts: one folder per game server, closed to other users. */
export class AgentState {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  get queueFolder(): string {
    return join(this.folder, "queue");
  }

  /** Makes the folder, or closes an existing one to others. */
  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const { mode } = await stat(this.folder);
    if ((mode & 0o077) !== 0) await chmod(this.folder, 0o700);
  }

  /** Made by the first call, and the same from then on. */
  async installationId(): Promise<string> {
    const known = await this.#read("installation.json", Installation);
    if (known) return known.installation_id;
    const made = randomUUID();
    await this.#write("installation.json", { installation_id: made });
    return made;
  }

  link(): Promise<Link | null> {
    return this.#read("link.json", Link);
  }

  keepLink(link: Link): Promise<void> {
    return this.#write("link.json", link);
  }

  /** Null while there is no pause. */
  async pause(): Promise<z.output<typeof Pause> | null> {
    return this.#read("pause.json", Pause);
  }

  /** Null if nothing was kept. Rejects if it cannot be read now; wrong content is reported. */
  async logMemory(tell: (line: string) => void = () => {}): Promise<LogMemory | LostMemory | null> {
    try {
      return await this.#read("log.json", LogMemory);
    } catch (error) {
      if (!(error instanceof WrongContent)) throw error;
      tell(`${error.message} The log is read from now on; what was missed before is not known.`);
      const { mtimeMs } = await stat(join(this.folder, "log.json"));
      return { lostAt: Math.floor(mtimeMs) };
    }
  }

  keepLogMemory(memory: LogMemory): Promise<void> {
    return this.#write("log.json", memory);
  }

  /** Cheap enough for every second. Rejects if it cannot be found out. */
  async isPaused(): Promise<boolean> {
    return (await stat(join(this.folder, "pause.json")).catch(nullIfAbsent)) !== null;
  }

  async keepPause(now: Instant, announced: boolean): Promise<void> {
    const since = (await this.pause())?.since ?? toTimestamp(now);
    await this.#write("pause.json", { since, announced });
  }

  endPause(): Promise<void> {
    return rm(join(this.folder, "pause.json"), { force: true });
  }

  /** Null if there is no such file; throws if it cannot be read or has wrong content. */
  async #read<T>(name: string, form: z.ZodType<T>): Promise<T | null> {
    const path = join(this.folder, name);
    const text = await readFile(path, "utf8").catch((error: unknown) => {
      if (isAbsent(error)) return null;
      const why = failureCode(error) ?? oneLine(error);
      throw new Error(`${path} cannot be read (${why}). ${advice}`, { cause: error });
    });
    if (text === null) return null;
    try {
      return form.parse(JSON.parse(text));
    } catch (error) {
      throw new WrongContent(`${path} cannot be read (its content is wrong). ${advice}`, { cause: error });
    }
  }

  #write(name: string, value: unknown): Promise<void> {
    return writeWhole(join(this.folder, name), `${JSON.stringify(value)}\n`);
  }
}
