/** The groups of tools that a caller can choose. */
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
