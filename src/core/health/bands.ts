/** Player counts with which a server carries about the same load. */
export interface PlayerBand {
  /** The least players. It names the band wherever a band is kept. */
  readonly from: number;
  /** The most players; null where there is no limit. */
  readonly to: number | null;
  /** As a sentence continues after "with". */
  readonly text: string;
}

/** Every band, by rising players. Each is about twice as wide as the one before: load follows the order of magnitude. */
export const playerBands: readonly PlayerBand[] = [
  { from: 0, to: 0, text: "no players" },
  { from: 1, to: 4, text: "1 to 4 players" },
  { from: 5, to: 9, text: "5 to 9 players" },
  { from: 10, to: 19, text: "10 to 19 players" },
  { from: 20, to: 39, text: "20 to 39 players" },
  { from: 40, to: 79, text: "40 to 79 players" },
  { from: 80, to: null, text: "80 players or more" },
];

const [emptyBand = { from: 0, to: 0, text: "no players" }] = playerBands;

/** The band of so many players. The median of a bucket may be 4.5: a band reaches up to where the next one begins. */
export const bandOf = (players: number): PlayerBand =>
  playerBands.findLast(({ from }) => from <= players) ?? emptyBand;
