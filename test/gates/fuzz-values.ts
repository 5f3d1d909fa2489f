import type { JsonSchema } from "../../src/contract/endpoint/json-schema.ts";
import type { Dice } from "./fuzz-dice.ts";

const characters = ["a", "Z", "0", " ", "\n", "\u00e9", "\u6f22", "\u{1f4a3}", "\u202e", "<", '"', "\\", "%"];
const unstorable = ["\u0000", "\ud800", "\udfff", "a\u0000b", "\u001b[2J"];
const awkward = [
  "",
  " ",
  "null",
  "true",
  "0x10",
  "1e1",
  "-1",
  "NaN",
  "{}",
  "../..",
  "%00",
  "'; --",
  "2026-11-20T07:34:00Z",
  "2026-02-30T00:00:00Z",
  "x".repeat(70_000),
];

/** Deep enough to overflow a stack that recursion would use, or just past what a body may hold. */
const nested = (depth: number): unknown => {
  let value: unknown = [];
  for (let level = 1; level < depth; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
};
/** Made anew each time: a value that is disturbed later may not end up inside itself. */
const monsters: readonly (() => unknown)[] = [
  () => nested(33),
  () => nested(2000),
  () => Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`k${index}`, index])),
  () => Array.from({ length: 3000 }, () => null),
];

/** A value of any kind, whatever a field takes. */
export function junk(dice: Dice): unknown {
  switch (dice.below(9)) {
    case 0:
      return null;
    case 1:
      return dice.chance(50);
    case 2:
      return dice.pick([0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, Number.MIN_VALUE]);
    case 3:
      return dice.pick(unstorable);
    case 4:
      return [];
    case 5:
      return { a: 1 };
    case 6:
      return dice.chance(5) ? dice.pick(monsters)() : [null];
    default:
      return dice.pick(awkward);
  }
}

function textOf(dice: Dice, length: number): string {
  let text = "";
  for (let index = 0; index < length; index += 1) text += dice.pick(characters);
  return text;
}

/** A value by a schema, as often as not at one of its bounds or one step beyond. */
export function valueBy(schema: JsonSchema, dice: Dice): unknown {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return valueOf(dice.pick(options), dice);
  if (schema.enum) return dice.chance(80) ? dice.pick(schema.enum) : "none of these";
  if (schema.const !== undefined) return schema.const;
  switch (schema.type) {
    case "string":
      return stringBy(schema, dice);
    case "integer":
    case "number":
      return numberBy(schema, dice);
    case "boolean":
      return dice.chance(50);
    case "array":
      return arrayBy(schema, dice);
    case "object":
      return objectBy(schema, dice);
    case "null":
      return null;
    default:
      return junk(dice);
  }
}

const valueOf = (schema: JsonSchema | boolean, dice: Dice): unknown =>
  typeof schema === "boolean" ? junk(dice) : valueBy(schema, dice);

function stringBy({ minLength = 0, maxLength = 40 }: JsonSchema, dice: Dice): string {
  const length = dice.pick([
    minLength,
    minLength + 1,
    maxLength,
    maxLength + 1,
    Math.max(0, minLength - 1),
    dice.below(20),
  ]);
  return textOf(dice, Math.min(length, 20_000));
}

function numberBy({ minimum = 0, maximum = 1e12, type }: JsonSchema, dice: Dice): number {
  const value = dice.pick([minimum, maximum, minimum - 1, maximum + 1, minimum + dice.below(100)]);
  return type === "number" && dice.chance(30) ? value + 0.5 : value;
}

function arrayBy({ items }: JsonSchema, dice: Dice): unknown[] {
  const item = Array.isArray(items) ? items[0] : items;
  return Array.from({ length: dice.pick([0, 1, 2, 3, 5]) }, () => valueOf(item ?? true, dice));
}

function objectBy({ properties = {}, required = [] }: JsonSchema, dice: Dice): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    if (required.includes(name) || dice.chance(50)) made[name] = valueOf(schema, dice);
  }
  return made;
}

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Changes one value somewhere inside `root`: another kind, one that a schema allows, a key more or a key less. */
export function disturb(
  root: Record<string, unknown>,
  schemas: ReadonlyMap<string, JsonSchema>,
  dice: Dice,
): void {
  const names = Object.keys(root);
  const known = [...schemas.keys()];
  if (names.length === 0 || dice.chance(15)) {
    const name =
      known.length > 0 && dice.chance(70)
        ? dice.pick(known)
        : dice.pick(["extra", "__proto__", "constructor", "", "id", "\u0000"]);
    const schema = schemas.get(name);
    Object.defineProperty(root, name, {
      value: schema ? valueBy(schema, dice) : junk(dice),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return;
  }
  let tree: Record<string, unknown> = root;
  let name = dice.pick(names);
  const schema = schemas.get(name);
  for (let inner = tree[name]; isTree(inner) && dice.chance(75); inner = tree[name]) {
    const keys = Object.keys(inner);
    if (keys.length === 0) break;
    tree = inner;
    name = dice.pick(keys);
  }
  if (dice.chance(15)) delete tree[name];
  else tree[name] = tree === root && schema && dice.chance(60) ? valueBy(schema, dice) : junk(dice);
}
