import { z } from "zod";
import { sampleFields, schemasOf, seriesFields } from "./fields.ts";

/** One measurement of a game server, in the documentation's order: `current` of a status. */
export const Sample = z.object(schemasOf("shown"));
export type Sample = z.infer<typeof Sample>;

/** Fields that describe ticking, and mean nothing while the worlds do not tick. */
const tickFields = seriesFields.filter((field) => sampleFields[field].of === "ticks");

/**
 * A paused server does not tick, so its tick fields are unknown; and a server with players on it is not
 * paused, whatever the plugin said.
 */
export function settlePause(sample: Sample): Sample {
  if (sample.paused_empty !== true) return sample;
  if ((sample.player_count ?? 0) > 0) return { ...sample, paused_empty: false };
  const settled: Sample = { ...sample };
  for (const field of tickFields) settled[field] = null;
  return settled;
}
