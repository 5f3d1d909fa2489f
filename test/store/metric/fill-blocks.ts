import { encodeSegment, fieldColumn, segmentPointsAtMost } from "../../../src/core/metric/block/segment.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { blockOf, saveBlock } from "../../../src/store/metric/blocks.ts";
import { day } from "../engine/rows.ts";

/** Keeps so many samples in the blocks of a server, `everyMs` apart, each of 20 TPS. */
export async function fillBlocks(
  db: Database,
  server: string,
  from: number,
  count: number,
  everyMs: number,
): Promise<void> {
  const parts = new Map<number, Uint8Array[]>();
  const dayOf = (at: number): number => Math.floor(at / day) * day;
  for (let first = 0; first < count;) {
    const times: number[] = [];
    const start = from + first * everyMs;
    for (
      let at = start;
      times.length < Math.min(segmentPointsAtMost, count - first) && dayOf(at) === dayOf(start);
      at += everyMs
    )
      times.push(at);
    first += times.length;
    const segment = encodeSegment({
      times: Float64Array.from(times),
      columns: new Map([[fieldColumn("tps"), Float64Array.from(times, () => 20)]]),
      details: null,
    });
    const ofDay = parts.get(dayOf(start)) ?? [];
    parts.set(dayOf(start), ofDay);
    ofDay.push(segment);
  }
  for (const [day, segments] of parts) {
    const known = await db.read(blockOf, server, day);
    await db.write(saveBlock, server, day, Buffer.concat([known, ...segments]));
  }
}
