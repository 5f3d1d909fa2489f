import { z } from "zod";
import { sampleFields, schemasOf, seriesFields } from "./fields.ts";

/** `current` of a status. */
export const Sample = z.object(schemasOf("shown"));
export type Sample = z.infer<typeof Sample>;

const tickFields = seriesFields.filter((field) => sampleFields[field].of === "ticks");

/** A paused server has no tick values; a server with players is not paused, whatever the plugin says. */
export function settlePause(sample: Sample): Sample {
  if (sample.paused_empty !== true) return sample;
  if ((sample.player_count ?? 0) > 0) return { ...sample, paused_empty: false };
  const settled: Sample = { ...sample };
  for (const field of tickFields) settled[field] = null;
  return settled;
}
