import { createHash } from "node:crypto";
import { minuteMs, type Instant } from "../../core/time.ts";
import type { SoftwareInventory } from "../../core/software/inventory.ts";
import { PluginApiError } from "../../outbound/plugin-client.ts";
import { oneLine } from "../one-line.ts";
import type { SoftwareFolder } from "../software/software-folder.ts";
import type { ServiceClient } from "./service-client.ts";

export interface SoftwareSenderDeps {
  readonly service: ServiceClient;
  readonly elapsed: () => number;
  readonly tell: (line: string) => void;
}

/** Signs that a game server booted; null for those not seen. */
export interface BootSigns {
  readonly process: { readonly pid: number; readonly startTicks: number } | null;
  readonly bootedAt: Instant | null;
}

/** Unreadable files are tried again after this time, ms. */
const readAgainMs = 10 * minuteMs;

/**
 * Sends the inventory at the agent's start, after each boot, and when files changed and then stayed the same
 * until the next look, so that no file is read while it is copied.
 */
export class SoftwareSender {
  readonly #parts: SoftwareSenderDeps;
  readonly #ending = new AbortController();
  #folder: SoftwareFolder;
  #isLooking = false;
  #isDue = true;
  #process: string | null = null;
  #bootedAt: Instant | null = null;
  #lastMark: string | null = null;
  #readMark: string | null = null;
  #readableFrom = 0;
  #cannotRead = false;
  /** When unreadable files are tried again; null if all was read. */
  #againFrom: number | null = null;
  #waiting: { readonly inventory: SoftwareInventory; readonly digest: string } | null = null;
  #sentDigest: string | null = null;
  #isUnknown = false;

  constructor(folder: SoftwareFolder, parts: SoftwareSenderDeps) {
    this.#folder = folder;
    this.#parts = parts;
  }

  use(folder: SoftwareFolder): void {
    this.#folder = folder;
    this.#isDue = true;
  }

  /** Called with every turn of the monitor; one look at a time. Rejects only with Unlinked. */
  async look(signs: BootSigns): Promise<void> {
    this.#noteBoot(signs);
    if (this.#isLooking || this.#isUnknown) return;
    this.#isLooking = true;
    try {
      await this.#read();
      await this.#send();
    } finally {
      this.#isLooking = false;
    }
  }

  end(): void {
    this.#ending.abort();
  }

  #noteBoot({ process, bootedAt }: BootSigns): void {
    const identity = process && `${process.pid} ${process.startTicks}`;
    if (identity !== null && identity !== this.#process) this.#isDue = true;
    if (bootedAt !== null && bootedAt !== this.#bootedAt) this.#isDue = true;
    this.#process = identity ?? this.#process;
    this.#bootedAt = bootedAt ?? this.#bootedAt;
  }

  async #read(): Promise<void> {
    if (this.#parts.elapsed() < this.#readableFrom) return;
    try {
      const mark = await this.#folder.mark();
      const isSettled = mark === this.#lastMark;
      this.#lastMark = mark;
      const isAgain = this.#againFrom !== null && this.#parts.elapsed() >= this.#againFrom;
      if (!this.#isDue && !isAgain && !(isSettled && mark !== this.#readMark)) return;
      this.#isDue = false;
      const { inventory, unread } = await this.#folder.read(this.#ending.signal);
      this.#readMark = mark;
      this.#cannotRead = false;
      this.#noteUnread(unread);
      const digest = createHash("sha256").update(JSON.stringify(inventory)).digest("hex");
      this.#waiting = digest === this.#sentDigest ? null : { inventory, digest };
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      this.#isDue = true;
      this.#readableFrom = this.#parts.elapsed() + readAgainMs;
      if (!this.#cannotRead)
        this.#parts.tell(`The server's plugins and settings cannot be read (${oneLine(error)}).`);
      this.#cannotRead = true;
    }
  }

  #noteUnread(unread: readonly string[]): void {
    const [first] = unread;
    if (first !== undefined && this.#againFrom === null)
      this.#parts.tell(
        `Of the server's plugins and settings ${unread.length} cannot be read, such as ${oneLine(first)}.`,
      );
    this.#againFrom = first === undefined ? null : this.#parts.elapsed() + readAgainMs;
  }

  async #send(): Promise<void> {
    const { service, tell } = this.#parts;
    const waiting = this.#waiting;
    if (waiting === null || !service.open || this.#ending.signal.aborted) return;
    const sent = await service.send((client) => client.software(waiting.inventory).catch(nullIfUnknown));
    if (sent.kind === "failed" || (sent.kind === "answered" && sent.answer?.accepted === false)) return;
    this.#waiting = null;
    this.#sentDigest = waiting.digest;
    if (sent.kind === "refused") tell(`The service refused the list of the server's software (${sent.why}).`);
    else if (sent.answer === null) {
      this.#isUnknown = true;
      tell("The service takes no list of the server's software, because it is older than this agent.");
    }
  }
}

/** An older service lacks the route, which is no failure of the connection. */
function nullIfUnknown(error: unknown): null {
  if (error instanceof PluginApiError && (error.status === 404 || error.status === 405)) return null;
  throw error;
}
