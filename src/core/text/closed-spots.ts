import { uncapped, type Spot } from "./third-party-spots.ts";

/** Any text and key of a value whose shape nobody vouches for. */
const anything: Spot = {
  cap: uncapped,
  inRow: false,
  isText: true,
  json: undefined,
  get items() {
    return anything;
  },
  get members() {
    return anything;
  },
  get keys() {
    return anything;
  },
  fields: new Map(),
};

/**
 * The places of an output schema and everything beside them, for answers that no schema was held against. What fits
 * the schema is shown as without this, for no text that a schema leaves unmarked holds a hidden character.
 */
export const closed = (spot: Spot | undefined): Spot =>
  spot === undefined
    ? anything
    : {
        ...spot,
        isText: true,
        items: closed(spot.items),
        members: closed(spot.members),
        keys: spot.keys ?? anything,
        fields: new Map(Array.from(spot.fields, ([name, inner]) => [name, closed(inner)])),
      };
