/** How many players a server has, in bands: within one, the load of a server is about the same. */
export const playerBands = [
  { name: "0", from: 0 },
  { name: "1-4", from: 1 },
  { name: "5-9", from: 5 },
  { name: "10-19", from: 10 },
  { name: "20-39", from: 20 },
  { name: "40-79", from: 40 },
  { name: "80+", from: 80 },
] as const;

/** The place of a number of players among the bands; a mean below 1 lies in the first one. */
export function bandOf(players: number): number {
  let band = 0;
  while ((playerBands[band + 1]?.from ?? Number.POSITIVE_INFINITY) <= players) band += 1;
  return band;
}
