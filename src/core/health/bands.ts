/** A range of player counts with about the same load. */
export interface PlayerBand {
  /** The fewest players; stored as the id of the band. */
  readonly from: number;
  /** Null for no upper limit. */
  readonly to: number | null;
  readonly name: string;
  /** Continues a sentence after "with". */
  readonly text: string;
}

/** By rising players; each is about twice as wide as the one before, since load follows magnitude. */
export const playerBands: readonly PlayerBand[] = [
  { from: 0, to: 0, name: "0", text: "no players" },
  { from: 1, to: 4, name: "1-4", text: "1 to 4 players" },
  { from: 5, to: 9, name: "5-9", text: "5 to 9 players" },
  { from: 10, to: 19, name: "10-19", text: "10 to 19 players" },
  { from: 20, to: 39, name: "20-39", text: "20 to 39 players" },
  { from: 40, to: 79, name: "40-79", text: "40 to 79 players" },
  { from: 80, to: null, name: "80+", text: "80 players or more" },
];

const [emptyBand = { from: 0, to: 0, name: "0", text: "no players" }] = playerBands;

/** Also for fractions: the median of a bucket may be 4.5, and a band reaches up to the next one. */
export const bandOf = (players: number): PlayerBand =>
  playerBands.findLast(({ from }) => from <= players) ?? emptyBand;

export const bandIndexOf = (players: number): number => playerBands.indexOf(bandOf(players));
