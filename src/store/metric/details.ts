import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { DetailsCodec } from "../../core/metric/block/merge-segments.ts";

/** Most bytes of a segment's unpacked details; limits the memory that damaged ones can take. */
const longest = 64 * 1024 * 1024;

/** Stores the details of a segment as a JSON array in raw deflate. */
export const detailsCodec: DetailsCodec = {
  pack: (details) =>
    details.every((detail) => detail === null) ? null : deflateRawSync(JSON.stringify(details), { level: 1 }),

  unpack: (bytes, points) => {
    if (bytes === null) return Array.from({ length: points }, () => null);
    const json = inflateRawSync(bytes, { maxOutputLength: longest }).toString();
    const details: unknown = JSON.parse(json);
    if (!Array.isArray(details) || details.length !== points)
      throw new Error("A block of measurements has details of another number of points.");
    // Sound: only this program writes them.
    return details as (string | null)[];
  },
};
