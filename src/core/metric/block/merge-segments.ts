import { concatenated } from "../concatenated.ts";
import { hourMs, type Instant } from "../../time.ts";
import {
  encodeSegment,
  segmentPointsAtMost,
  blockSegments,
  type BlockSegment,
  type SegmentContent,
} from "./segment.ts";

/** The time that one segment covers, ms; windows begin at multiples of it since the Unix epoch. */
export const windowMs = 2 * hourMs;
/** Samples are sealed this long after the end of their window, so that late ones have arrived, ms. */
const settledMs = hourMs;

export const sealWindowStart = (at: Instant): Instant => Math.floor(at / windowMs) * windowMs;

/** Samples before this instant are kept in blocks; whole windows only. */
export const sealedBefore = (now: Instant): Instant => sealWindowStart(now - settledMs);

/** Points whose details are texts. */
export interface SealedPoints extends Omit<SegmentContent, "details"> {
  readonly details: readonly (string | null)[];
}

/** `pack` returns null if all details are null. */
export interface DetailsCodec {
  readonly pack: (details: readonly (string | null)[]) => Uint8Array | null;
  /** Returns one detail for each point; throws if the bytes hold anything else. */
  readonly unpack: (bytes: Uint8Array | null, points: number) => readonly (string | null)[];
}

/** The segments that the points overlap, else the one before them if it has their window and room. */
function affected(segments: readonly BlockSegment[], { times }: SealedPoints): BlockSegment[] {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
  const overlapped = segments.filter((segment) => segment.first <= last && segment.last >= first);
  if (overlapped.length > 0) return overlapped;
  const before = segments.findLast((segment) => segment.last < first);
  const hasRoom = before !== undefined && before.length + times.length <= segmentPointsAtMost;
  return hasRoom && sealWindowStart(before.last) === sealWindowStart(first) ? [before] : [];
}

interface Place {
  readonly from: SealedPoints;
  readonly index: number;
}

/** All points in order of time; of several with one time, only that of the earliest source. */
function placesInOrder(sources: readonly SealedPoints[]): Place[] {
  const byTime = new Map<number, Place>();
  for (const from of sources)
    for (const [index, time] of from.times.entries())
      if (!byTime.has(time)) byTime.set(time, { from, index });
  return [...byTime].toSorted(([a], [b]) => a - b).map(([, place]) => place);
}

const timeOf = ({ from, index }: Place): Instant => from.times[index] ?? 0;

function* pieces(places: readonly Place[]): Generator<readonly Place[]> {
  const windowOf = (place: Place | undefined): number =>
    place === undefined ? 0 : sealWindowStart(timeOf(place));
  for (let start = 0; start < places.length;) {
    let end = start + 1;
    while (
      end < places.length &&
      end - start < segmentPointsAtMost &&
      windowOf(places[end]) === windowOf(places[start])
    )
      end += 1;
    yield places.slice(start, end);
    start = end;
  }
}

function encoded(places: readonly Place[], codec: DetailsCodec): Uint8Array {
  const sources = new Set(places.map(({ from }) => from));
  const columns = new Set([...sources].flatMap((source) => Array.from(source.columns.keys())));
  const column = (id: number): Float64Array =>
    Float64Array.from(places, ({ from, index }) => from.columns.get(id)?.[index] ?? Number.NaN);
  return encodeSegment({
    times: Float64Array.from(places, timeOf),
    columns: new Map([...columns].toSorted((a, b) => a - b).map((id) => [id, column(id)])),
    details: codec.pack(places.map(({ from, index }) => from.details[index] ?? null)),
  });
}

const unpacked = (segment: BlockSegment, codec: DetailsCodec): SealedPoints => {
  const content = segment.content();
  return { ...content, details: codec.unpack(content.details, segment.length) };
};

/** The block with these points in place of the segments in `opened`. */
function rewritten(
  segments: readonly BlockSegment[],
  opened: readonly BlockSegment[],
  places: readonly Place[],
  codec: DetailsCodec,
): Uint8Array {
  const made = [...pieces(places)].map((piece) => ({
    first: piece[0] === undefined ? 0 : timeOf(piece[0]),
    bytes: encoded(piece, codec),
  }));
  const kept = segments.filter((segment) => !opened.includes(segment));
  const inOrder = [...kept, ...made].toSorted((a, b) => a.first - b.first);
  return concatenated(
    Uint8Array,
    inOrder.map(({ bytes }) => bytes),
  );
}

/** Adds points to a block, which may be empty; for equal times the block's own point stays. */
export function mergedBlock(block: Uint8Array, added: SealedPoints, codec: DetailsCodec): Uint8Array {
  const segments = blockSegments(block);
  const opened = affected(segments, added);
  const known = opened.map((segment) => unpacked(segment, codec));
  return rewritten(segments, opened, placesInOrder([...known, added]), codec);
}

/** Removes points from a block, whose segments without one of them stay as they are. The same block if it has none. */
export function withoutPoints(
  block: Uint8Array,
  times: ReadonlySet<number>,
  codec: DetailsCodec,
): Uint8Array {
  const segments = blockSegments(block);
  const opened = segments.filter((segment) => segment.times().some((time) => times.has(time)));
  if (opened.length === 0) return block;
  const places = placesInOrder(opened.map((segment) => unpacked(segment, codec)));
  return rewritten(
    segments,
    opened,
    places.filter((place) => !times.has(timeOf(place))),
    codec,
  );
}
