import { uncapped, type TextLocation } from "./escape-plan.ts";

/** Every text and key of a value that no schema describes. */
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
 * For answers that were not checked against their schema: text outside its places is neutralised too. An
 * answer that fits is shown unchanged, since unmarked text holds no hidden character.
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
