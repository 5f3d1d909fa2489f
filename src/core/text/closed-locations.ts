import { uncapped, type TextLocation } from "./escape-plan.ts";

/** Any text and key of a value whose shape nobody vouches for. */
const anything: TextLocation = {
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
export const closedLocation = (location: TextLocation | undefined): TextLocation =>
  location === undefined
    ? anything
    : {
        ...location,
        isText: true,
        items: closedLocation(location.items),
        members: closedLocation(location.members),
        keys: location.keys ?? anything,
        fields: new Map(Array.from(location.fields, ([name, inner]) => [name, closedLocation(inner)])),
      };
