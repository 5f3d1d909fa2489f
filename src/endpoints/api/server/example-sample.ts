import { sampleFields, seriesFields } from "../../../core/metric/fields.ts";
import { Sample } from "../../../core/metric/sample.ts";

const numbers = Object.fromEntries(seriesFields.map((field) => [field, sampleFields[field].example]));

export const exampleSample: Sample = Sample.parse({
  ...numbers,
  paused_empty: false,
  worlds_top: [{ name: "world", players: 12, entities: 1500, chunks: 1800 }],
  world_sizes: [{ name: "world", size_mb: 8120 }],
  region_source: null,
  regions: null,
});
