import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { DetailsCodec } from "../../core/metric/block/merge-segments.ts";

/** Details of a segment, bytes at most: damaged ones take no more memory. */
const longest = 64 * 1024 * 1024;

/** Details as they are stored in a segment: a JSON array in raw deflate. */
export const detailsCodec: DetailsCodec = {
  pack: (details) =>
    details.every((detail) => detail === null) ? null : deflateRawSync(JSON.stringify(details), { level: 1 }),

  unpack: (bytes, points) => {
    if (bytes === null) return Array.from({ length: points }, () => null);
    const json = inflateRawSync(bytes, { maxOutputLength: longest }).toString();
    const details: unknown = JSON.parse(json);
    if (!Array.isArray(details) || details.length !== points)
      throw new Error("A block of measurements has details of another number of points.");
    // Sound: this program alone writes them.
    return details as (string | null)[];
  },
};
