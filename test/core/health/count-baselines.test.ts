import { describe, expect, it } from "vitest";
import { countBaselinesOf } from "../../../src/core/health/count-baselines.ts";
import type { LoadBucket } from "../../../src/core/health/load-buckets.ts";
import { day, five, start } from "./buckets.ts";

type Fields = Partial<Omit<LoadBucket, "at">>;

const nothing = { mspt: 12, mspt_region_avg: null, loaded_chunks: null, tile_entities: null };

/** A bucket every five minutes of the days before `until`, from so many days before `start` on. */
const bucketsOf = (until: number, days: number, fields: (at: number) => Fields): LoadBucket[] =>
  Array.from({ length: (until - start) / five + days * (day / five) }, (_, index) => {
    const at = start - days * day + index * five;
    return { at, ...nothing, player_count: 8, entity_count: 1000, ...fields(at) };
  });

describe("[OUR-HLT-44] what is usual of the worlds", () => {
  it("is kept of each field that was measured with as many players for long enough", () => {
    const counts = countBaselinesOf(
      bucketsOf(start, 14, () => ({ loaded_chunks: 400 })),
      start,
      {},
    );
    expect(counts).toMatchObject({
      entity_count: { day: start, bands: [{ playersFrom: 5, median: 1000, buckets: 4032, days: 14 }] },
      loaded_chunks: { bands: [{ median: 400 }] },
    });
    expect(counts).not.toHaveProperty("tile_entities");
    expect(
      countBaselinesOf(
        bucketsOf(start, 4, () => ({})),
        start,
        {},
      ),
    ).toEqual({});
  });

  it("knows no pause, and nothing without a number of players", () => {
    const of = (fields: Fields) =>
      countBaselinesOf(
        bucketsOf(start, 14, () => fields),
        start,
        {},
      );
    expect(of({ mspt: null, player_count: 0 })).toEqual({});
    expect(of({ player_count: null })).toEqual({});
    expect(of({ mspt: null, player_count: 3 })).toHaveProperty("entity_count");
  });

  it("stands still while there is more, for 14 days at most, and moves on when that is over", () => {
    const before = countBaselinesOf(
      bucketsOf(start, 14, () => ({})),
      start,
      {},
    );
    const after = (days: number, until = Infinity) => {
      const [end, since] = [start + days * day, start + day / 2];
      const fields = (at: number): Fields => (at >= since && at < until ? { entity_count: 3000 } : {});
      return countBaselinesOf(bucketsOf(end, 14, fields), end, before).entity_count;
    };
    expect(after(1)).toEqual(before.entity_count);
    expect(after(13)).toEqual(before.entity_count);
    expect(after(14)).toMatchObject({ day: start + 14 * day, bands: [{ median: 3000 }] });
    expect(after(2, start + 1.5 * day)).toMatchObject({ day: start + 2 * day, bands: [{ median: 1000 }] });
  });
});
