/** What a caller can narrow the list of tools to. */
export const toolsets = [
  "fleet",
  "benchmarks",
  "profiling",
  "alerts",
  "auto_bench",
  "catalogue",
  "account",
] as const;
export type Toolset = (typeof toolsets)[number];
