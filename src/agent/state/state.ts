import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { failureCode, isAbsent, nullIfAbsent } from "../../core/failure-code.ts";
import { toTimestamp, type Instant } from "../../core/time.ts";
import { writeWhole } from "../files/files.ts";
import { oneLine } from "../one-line.ts";
import { LogMemory } from "./log-memory.ts";

/** The result of `agent link`, which `agent run` needs. */
const Link = z.object({
  url: z.string(),
  server_id: z.string(),
  auth_token: z.string(),
  /** The location of the server, as given or found at the link. */
  server: z.object({
    directory: z.string(),
    port: z.number().exactOptional(),
    log: z.string().exactOptional(),
    gcLog: z.string().exactOptional(),
    metricsUrl: z.string().exactOptional(),
  }),
});
export type Link = z.output<typeof Link>;

/** A file of the state holds something that no agent wrote. */
class WrongContent extends Error {}

const advice = "Make this user its owner, or remove the file and link again.";

const Installation = z.object({ installation_id: z.string() });
const Pause = z.object({ since: z.string(), announced: z.boolean() });

/**
 * The files of an agent between two starts, in a folder that only its user can enter: one folder for one game server.
 */
export class AgentState {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  get queueFolder(): string {
    return join(this.folder, "queue");
  }

  /** Makes the folder. A folder that is there already is closed to others. */
  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const { mode } = await stat(this.folder);
    if ((mode & 0o077) !== 0) await chmod(this.folder, 0o700);
  }

  /** The same for this folder from the first call on. */
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

  /** The start of the owner's pause, and whether the service knows of it; null while there is none. */
  async pause(): Promise<z.output<typeof Pause> | null> {
    return this.#read("pause.json", Pause);
  }

  /**
   * How far the server's log was read; null where that is not known. Rejects where it cannot be read now; what nobody
   * can understand is reported, and counts as unknown.
   */
  async logMemory(tell: (line: string) => void = () => {}): Promise<LogMemory | null> {
    try {
      return await this.#read("log.json", LogMemory);
    } catch (error) {
      if (!(error instanceof WrongContent)) throw error;
      tell(`${error.message} The log is read from now on; what was missed before is not known.`);
      return null;
    }
  }

  keepLogMemory(memory: LogMemory): Promise<void> {
    return this.#write("log.json", memory);
  }

  /** Cheap enough for every second. Rejects where it cannot be found out. */
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

  /** Null where there is no such file; throws where it cannot be read or holds something else. */
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
