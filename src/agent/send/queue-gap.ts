import { parsedJson } from "../../core/parsed-json.ts";
import { readFile, rm, stat } from "node:fs/promises";
import { z } from "zod";
import { nullIfAbsent } from "../../core/failure-code.ts";
import { writeWhole } from "../files/files.ts";
import { gapOf, QueueGap, widened } from "./queue-file.ts";

/** `counted`: a queue file whose entries the gap includes, and which may still exist. */
const Kept = QueueGap.extend({ counted: z.string().nullable() });

/**
 * The gap of a queue, on disk until the service knows of it. It is written before the counted file is
 * removed, so that nothing is lost uncounted, and names that file, so that nothing counts twice.
 */
export class GapFile {
  readonly #path: string;
  #gap: QueueGap | null = null;
  #counted: string | null = null;
  /** False while a gap on disk could not be read; until then it is not overwritten. */
  #isLoaded = false;

  constructor(path: string) {
    this.#path = path;
  }

  get gap(): QueueGap | null {
    return this.#gap;
  }

  /** The counted queue file that may still exist; null for none. */
  get counted(): string | null {
    return this.#counted;
  }

  /** Reads the file once; wrong content counts as a damaged line. Rejects if it cannot be read. */
  async load(): Promise<void> {
    if (this.#isLoaded) return;
    const text = await readFile(this.#path, "utf8").catch(nullIfAbsent);
    const writtenAt = text === null ? 0 : (await stat(this.#path)).mtimeMs;
    const kept = text === null ? null : (keptIn(text) ?? { gap: gapOf([], 1, writtenAt), counted: null });
    this.#isLoaded = true;
    this.#counted = kept?.counted ?? null;
    if (!kept?.gap) return;
    // What was given up before this load is not on disk yet.
    if (this.#gap === null) this.#gap = kept.gap;
    else await this.#keep(widened(this.#gap, kept.gap), null);
  }

  /** Rejects if it cannot be written, and leaves the gap as it was. */
  async widen(more: QueueGap, counted: string | null = null): Promise<void> {
    await this.#keep(widened(this.#gap, more), counted);
  }

  /** Adds to the gap in memory only, for entries that a full disk has no room for. */
  hold(more: QueueGap): void {
    this.#gap = widened(this.#gap, more);
  }

  /** Removes a gap that the service knows of; what was added since stays. */
  async forget(known: QueueGap): Promise<void> {
    const left = this.#gap && without(this.#gap, known);
    if (left !== null) return this.#keep(left, this.#counted);
    if (this.#isLoaded) await rm(this.#path, { force: true });
    this.#gap = null;
    this.#counted = null;
  }

  async #keep(gap: QueueGap, counted: string | null): Promise<void> {
    if (this.#isLoaded) await writeWhole(this.#path, `${JSON.stringify({ ...gap, counted })}\n`);
    this.#gap = gap;
    this.#counted = counted;
  }
}

/** What `all` has beyond `known`, from which it was widened; null for nothing. */
function without(all: QueueGap, known: QueueGap): QueueGap | null {
  const left = {
    samples: all.samples - known.samples,
    events: all.events - known.events,
    damaged: all.damaged - known.damaged,
    unread_files: all.unread_files - known.unread_files,
  };
  const isNothing = Object.values(left).every((count) => count <= 0);
  return isNothing ? null : { ...left, from: Math.max(all.from, known.to), to: Math.max(all.to, known.to) };
}

function keptIn(text: string): { readonly gap: QueueGap; readonly counted: string | null } | null {
  const { success, data } = Kept.safeParse(parsedJson(text));
  if (!success) return null;
  const { counted, ...gap } = data;
  return { gap, counted };
}
