/** The groups of tools that a caller can choose; `essentials` is a choice of the others for small contexts. */
export const toolsets = [
  "essentials",
  "fleet",
  "benchmarks",
  "profiling",
  "alerts",
  "auto_bench",
  "catalogue",
  "account",
] as const;
export type Toolset = (typeof toolsets)[number];
