import type { z } from "zod";
import type { HeapSummary } from "../memory-report/document.ts";
import { ClassTable } from "./class-table.ts";
import { ImportError } from "./import-error.ts";

const processLine = /^\d{1,10}:$/;
const headLine =
  /^ *num +(?:#instances +#bytes +class name(?: \(module\))?|object count +total size +class name)$/;
const ruleLine = /^-{20,200}$/;
/** Number, objects, bytes, class and, from Java 9 on, its module; OpenJ9 writes no colon. */
const rowLine = /^ *(\d{1,9}):? +(\d{1,15}) +(\d{1,15}) +([^ ].*)$/;
const totalLine = /^Total +(\d{1,15}) +(\d{1,15})$/;
/** What the JVM's tools say of the environment before they begin. */
const environmentLine = /^(?:NOTE: )?Picked up \w{1,40}: /;
const longestPrompt = 400;

/** A terminal's prompt, alone or with the command, as it is copied along. */
function isPrompt(line: string): boolean {
  const text = line.trimEnd();
  if (text.length > longestPrompt) return false;
  return /[$#>%]$/.test(text) || (/[$#>%] /.test(text) && text.includes("jcmd "));
}

const wrong = (what: string): ImportError =>
  new ImportError(
    `This is not a class histogram: ${what}. Send the unchanged output of jcmd PID GC.class_histogram.`,
  );

interface Totals {
  readonly objects: number;
  readonly bytes: number;
}

/**
 * Converts the output of `jcmd PID GC.class_histogram` of HotSpot or OpenJ9, all or chosen rows, to an upload; `digest` is the
 * SHA-256 of `bytes`, hexadecimal. Sizes are shallow. `classes_complete` is false if row numbers have gaps or
 * the rows miss the total. The text has no time, nor (`-all`) whether garbage counts. Throws ImportError.
 */
export function histogramOf(bytes: Uint8Array, digest: string): z.input<typeof HeapSummary> {
  const table = new ClassTable();
  let [last, rows] = [0, 0];
  let total: Totals | null = null;
  for (const [index, line] of linesOf(bytes).entries()) {
    if (total !== null) {
      if (line !== "" && !isPrompt(line)) throw wrong(`line ${index + 1} stands after the total`);
      continue;
    }
    const row = rowLine.exec(line);
    if (row) {
      const [, number = "", objects = "", size = "", name = ""] = row;
      if (Number(number) <= last) throw wrong(`line ${index + 1} is out of order`);
      last = Number(number);
      rows += 1;
      table.add(withoutModule(name), Number(objects), Number(size));
    } else if (totalLine.test(line)) total = totalOf(line);
    else if (!isHead(line, index)) throw wrong(`line ${index + 1} is no row of one`);
  }
  if (rows === 0) throw wrong("it has no row");
  const isWhole = total === null ? null : reaches(total, table);
  const isComplete = rows === last && !table.isCut && isWhole;
  return {
    schema: "service-heap-summary/1",
    local_id: `histogram-${digest}`,
    created_at: null,
    mode: null,
    heap_used_bytes: total?.bytes ?? null,
    classes_complete: isComplete,
    classes: table.classes(),
  };
}

/** UTF-8, or UTF-16 with a byte order mark, as PowerShell saves it. */
function linesOf(bytes: Uint8Array): string[] {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
  return text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

/** `[B (java.base@21.0.12)` is an array of bytes. */
function withoutModule(name: string): string {
  const module = name.endsWith(")") ? name.lastIndexOf(" (") : -1;
  return module > 0 ? name.slice(0, module) : name;
}

/** Only the first lines may be a tool's or a terminal's own. */
const mostLinesBefore = 5;

const isHead = (line: string, index: number): boolean =>
  line === "" ||
  headLine.test(line) ||
  ruleLine.test(line) ||
  (index < mostLinesBefore && (processLine.test(line) || environmentLine.test(line) || isPrompt(line)));

function totalOf(line: string): Totals {
  const [, objects, bytes] = totalLine.exec(line) ?? [];
  return { objects: Number(objects), bytes: Number(bytes) };
}

function reaches(total: Totals, { objects, bytes }: ClassTable): boolean {
  if (objects > total.objects || bytes > total.bytes) throw wrong("its rows are more than its total");
  return objects === total.objects && bytes === total.bytes;
}
