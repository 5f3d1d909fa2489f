import type { z } from "zod";
import { maxClasses, type HeapSummary } from "../memory-report/document.ts";
import { codeLength } from "../profile/document.ts";
import { ImportError } from "./import-error.ts";
import { keptText } from "./kept-text.ts";

type ClassRow = z.input<typeof HeapSummary>["classes"][number];

/** Classes one file may list; a heavily modded server has some 150,000. */
const maxListed = 500_000;

/** Limit for the sum of bytes, and of objects, of a file. */
const most = 1e15;

/** Counts of objects by class; the same class of several class loaders is one row. */
export class ClassTable {
  readonly #rows = new Map<string, { objects: number; bytes: number }>();
  objects = 0;
  bytes = 0;

  add(className: string, objects: number, bytes: number): void {
    this.objects += objects;
    this.bytes += bytes;
    if (objects < 0 || bytes < 0 || this.objects > most || this.bytes > most)
      throw new ImportError(
        "The file has numbers of objects or bytes that are impossible. Send the file again, unchanged.",
      );
    const name = keptText(className, codeLength);
    const row = this.#rows.get(name) ?? { objects: 0, bytes: 0 };
    row.objects += objects;
    row.bytes += bytes;
    this.#rows.set(name, row);
    if (this.#rows.size > maxListed)
      throw new ImportError(
        `The file lists more than ${maxListed} classes, and cannot be read. Send a shorter one.`,
      );
  }

  get isCut(): boolean {
    return this.#rows.size > maxClasses;
  }

  /** Heaviest first; the lightest are left out if a document cannot hold all. */
  classes(): ClassRow[] {
    const rows = Array.from(this.#rows, ([class_name, row]) => ({ class_name, ...row }));
    const heaviestFirst = rows.toSorted(
      (a, b) => b.bytes - a.bytes || b.objects - a.objects || (a.class_name < b.class_name ? -1 : 1),
    );
    return heaviestFirst.slice(0, maxClasses);
  }
}
