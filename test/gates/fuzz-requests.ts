import { METHODS } from "node:http";
import { gzipSync } from "node:zlib";
import type { Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import type { Dice } from "./fuzz-dice.ts";
import { disturb, junk, valueBy } from "./fuzz-values.ts";

export interface FuzzRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer | null;
}

export interface Route {
  readonly prefix: string;
  readonly endpoint: Endpoint;
}

/** Identifiers that an answer told together. */
interface Row {
  readonly id: string;
  readonly server_id: string;
  readonly profile_id: string;
}

/** Credentials and identifiers that mean something to the service; grows with what the service answers. */
export class Known {
  readonly tokens: string[] = [];
  readonly credentials: string[] = [];
  readonly refused: string[] = ["tkm_bad", "", "x".repeat(600)];
  readonly #byName = new Map<string, string[]>();
  readonly #rows = new Map<string, Row[]>();

  /** Remembers the values of an answer under their names, identifiers under the resource they were answered for. */
  learn(value: unknown, resource: string): void {
    if (Array.isArray(value)) for (const item of value.slice(0, 3)) this.learn(item, resource);
    else if (typeof value === "object" && value !== null) {
      this.#keepRow(value, resource);
      for (const [name, member] of Object.entries(value)) {
        if (typeof member !== "string") this.learn(member, resource);
        else if (member.length <= 1024) this.#keep(nameOf(name, resource), member);
      }
    }
  }

  /** The last values that a field of this name could hold. */
  valuesOf(name: string): readonly string[] {
    return this.#byName.get(nameOf(name, "")) ?? [];
  }

  /** Rows of a resource that belong to one server: what can be asked of together. */
  kin(resource: string, dice: Dice): readonly Row[] {
    const rows = this.#rows.get(nameOf("id", resource)) ?? [];
    if (rows.length === 0) return [];
    const { server_id } = dice.pick(rows);
    return rows.filter((row) => row.server_id === server_id);
  }

  #keepRow(value: object, resource: string): void {
    const { id, server_id, profile_id = null } = value as Readonly<Record<string, unknown>>;
    if (typeof id !== "string" || typeof server_id !== "string") return;
    const name = nameOf("id", resource);
    const rows = (this.#rows.get(name) ?? []).filter((row) => row.id !== id);
    rows.push({ id, server_id, profile_id: typeof profile_id === "string" ? profile_id : id });
    this.#rows.set(name, rows.slice(-40));
  }

  #keep(name: string, value: string): void {
    const values = this.#byName.get(name) ?? [];
    if (values.push(value) > 40) values.shift();
    this.#byName.set(name, values);
  }
}

/** `id` of a server and `server_id` of anything are one thing; `reports` and `report` are too. */
function nameOf(name: string, resource: string): string {
  const own = name === "id" || name === "short_id" ? resource : name;
  return own.replace(/^server_(?=groups)/, "").replace(/_id$|s$/, "");
}

const oddSegments = [
  "%",
  "%zz",
  "%E0%A4%A",
  "%00",
  "%2e%2e",
  "..",
  "a%2Fb",
  "%F0%9F%92%A3",
  "null",
  "1",
  "a".repeat(5000),
  "{id}",
  "*",
  "%ED%A0%80",
];
const oddTypes = [
  "",
  "text/plain",
  "application/json; charset=utf-16",
  "application/jsonp",
  "garbage",
  "multipart/form-data; boundary=x",
  "APPLICATION/JSON",
  "application/json,application/json",
];
const oddHeaders: readonly (readonly [string, string])[] = [
  ["accept", "\u00ff"],
  ["accept", "text/html"],
  ["if-none-match", "*"],
  ["range", "bytes=0-1"],
  ["x-http-method-override", "DELETE"],
  ["x-forwarded-for", "unknown, ,,"],
  ["x-forwarded-for", "::1, fe80::1%eth0"],
  ["x-request-id", "x".repeat(3000)],
  ["cookie", "__proto__=1; tickmark_session=x"],
  ["origin", "null"],
  ["idempotency-key", "x".repeat(200)],
  ["idempotency-key", ""],
  ["idempotency-key", "one"],
  ["content-encoding", "br"],
  ["host", "evil.example:0"],
  ["expect", "100-continue"],
  ["traceparent", "00-0-0-0"],
];

/** A request for one endpoint, valid or somewhere near it. */
export function requestFor({ prefix, endpoint }: Route, known: Known, dice: Dice): FuzzRequest {
  const input = inputFor(endpoint, known, dice);
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, placeholder: string) =>
    segment(input[endpoint.params[placeholder] ?? ""], dice),
  );
  const headers: Record<string, string> = { host: "localhost", ...credential(endpoint, known, dice) };
  if (dice.chance(40)) headers["x-forwarded-for"] = `203.0.${dice.below(200)}.${dice.below(250)}`;
  if (dice.chance(12)) Object.assign(headers, Object.fromEntries([dice.pick(oddHeaders)]));
  const body =
    endpoint.bodyFields.length > 0 || dice.chance(5) ? bodyFor(endpoint, input, headers, dice) : null;
  const method = dice.chance(93) ? endpoint.method : dice.pick(METHODS.filter((name) => name !== "CONNECT"));
  const url = `${prefix}${path}${queryFor(endpoint, input, dice)}`;
  return { method, url: dice.chance(2) ? oddUrl(url, dice) : url, headers, body };
}

const oddUrl = (url: string, dice: Dice): string =>
  dice.pick([
    `${url}/`,
    url.replace("/v1", "/v2"),
    url.toUpperCase(),
    `/${url}`,
    url.slice(0, dice.below(url.length) + 1),
    `${url}#x`,
  ]);

/** The example, with what the service knows in place of its identifiers, disturbed a few times or not at all. */
function inputFor(endpoint: Endpoint, known: Known, dice: Dice): Record<string, unknown> {
  const input = structuredClone(endpoint.example.input) as Record<string, unknown>;
  const schemas = new Map([...endpoint.fields.values()].map(({ name, json }) => [name, json]));
  for (const { name, resource, json, required } of endpoint.fields.values()) {
    const own = known.valuesOf(name);
    const useResource = resource !== null && (own.length === 0 || dice.chance(50));
    const values = useResource ? known.valuesOf(endpoint.id.split(".", 1)[0] ?? "") : own;
    if (values.length > 0 && json.type === "string" && dice.chance(resource || required ? 85 : 20))
      input[name] = dice.pick(dice.chance(60) ? values.slice(-3) : values);
    else if (values.length > 0 && json.type === "array" && resource && dice.chance(85))
      input[name] = Array.from({ length: dice.pick([1, 1, 2, 3]) }, () => dice.pick(values));
    else if (!required && !(name in input) && dice.chance(20)) input[name] = valueBy(json, dice);
  }
  // An endpoint that takes several things of one server hardly ever meets them by chance.
  const things = [...endpoint.fields.values()].filter(({ resource }) => resource !== null).length;
  if (dice.chance(things > 2 ? 70 : 30)) relate(input, endpoint, known, dice);
  for (const [name, value] of Object.entries(input)) {
    if (typeof value === "string" && uuid.test(value) && known.valuesOf(name).length === 0 && dice.chance(80))
      input[name] = freshUuid(dice);
  }
  if (typeof input["local_id"] === "string" && dice.chance(80)) input["local_id"] = `fuzz-${dice.below(1e9)}`;
  const times = dice.chance(35) ? 0 : dice.pick([1, 1, 1, 2, 3]);
  for (let time = 0; time < times; time += 1) disturb(input, schemas, dice);
  return input;
}

/** Identifiers of one server's things, where an input takes several: chance alone hardly ever finds such. */
function relate(input: Record<string, unknown>, endpoint: Endpoint, known: Known, dice: Dice): void {
  if (typeof input["server_id"] !== "string") return;
  const rows = known.kin(endpoint.id.split(".", 1)[0] ?? "", dice);
  const fields = [...endpoint.fields.values()].filter(
    ({ name, resource }) => resource && name !== "server_id",
  );
  const [first] = rows;
  if (!first || fields.length === 0) return;
  input["server_id"] = first.server_id;
  // Two fields name two different rows, where the server has as many.
  const start = dice.below(rows.length);
  for (const [index, { name }] of fields.entries()) {
    const row = rows[(start + index) % rows.length] ?? first;
    input[name] = name === "profile_id" ? row.profile_id : row.id;
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const freshUuid = (dice: Dice): string =>
  `6f1c0c52-8a39-4c5e-9d5b-${dice
    .below(2 ** 32)
    .toString(16)
    .padStart(12, "0")}`;

function segment(value: unknown, dice: Dice): string {
  if (dice.chance(8)) return dice.pick(oddSegments);
  const text =
    typeof value === "string" ? value.slice(0, 3000) : JSON.stringify(value ?? null).slice(0, 3000);
  return encodeURIComponent(text.toWellFormed()) || "x";
}

function credential({ access }: Endpoint, known: Known, dice: Dice): Record<string, string> {
  if (dice.chance(8)) return {};
  if (dice.chance(8))
    return {
      authorization: dice.pick([
        "Bearer",
        "Basic dTpw",
        "",
        `bearer  ${dice.pick(known.tokens)} `,
        `Bearer ${dice.pick(known.refused)}`,
      ]),
    };
  const usual = access.face === "api" ? known.tokens : known.credentials;
  return {
    authorization: `Bearer ${dice.pick(dice.chance(96) ? usual : [...known.tokens, ...known.credentials])}`,
  };
}

function queryFor(endpoint: Endpoint, input: Record<string, unknown>, dice: Dice): string {
  const pairs: string[] = [];
  const add = (name: string, value: unknown): void => {
    // A list is comma-separated in a query.
    const listed = Array.isArray(value) && dice.chance(90) ? value.join(",") : value;
    const text = typeof listed === "string" ? listed : JSON.stringify(listed ?? null);
    pairs.push(
      dice.chance(3) ? `${name}=%zz` : `${name}=${encodeURIComponent(text.slice(0, 2000).toWellFormed())}`,
    );
  };
  for (const { name, place } of endpoint.fields.values()) {
    if (place !== "query" || input[name] === undefined) continue;
    add(name, input[name]);
    if (dice.chance(2)) add(name, input[name]);
  }
  if (dice.chance(4)) add(dice.pick(["limt", "__proto__", "constructor", "a[b]", "%00", ""]), junk(dice));
  if (pairs.length === 0) return dice.chance(3) ? "?" : "";
  return `?${pairs.join("&")}`;
}

function bodyFor(
  endpoint: Endpoint,
  input: Record<string, unknown>,
  headers: Record<string, string>,
  dice: Dice,
): Buffer {
  const places = endpoint.fields;
  const members = Object.fromEntries(
    Object.entries(input).filter(([name]) => (places.get(name)?.place ?? "body") === "body"),
  );
  const whole = endpoint.wholeBody === null || dice.chance(5) ? members : input[endpoint.wholeBody.name];
  headers["content-type"] = dice.chance(96) ? "application/json" : dice.pick(oddTypes);
  let body: Buffer = Buffer.from(dice.chance(4) ? JSON.stringify(junk(dice)) : (JSON.stringify(whole) ?? ""));
  if (dice.chance(6)) body = damaged(body, dice);
  if (dice.chance(endpoint.access.face === "plugin" ? 10 : 1)) {
    headers["content-encoding"] = "gzip";
    if (dice.chance(85)) body = gzipSync(body);
  }
  return body;
}

function damaged(body: Buffer, dice: Dice): Buffer {
  switch (dice.below(6)) {
    case 0:
      return body.subarray(0, dice.below(body.length + 1));
    case 1:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]);
    case 2:
      return Buffer.from(body.toString().replace(/\d+/, "1e999"));
    case 3:
      return Buffer.from(`${"[".repeat(5000)}${body.toString()}`);
    case 4:
      return Buffer.concat([body, body]);
    default: {
      const copy = Buffer.from(body);
      if (copy.length > 0) copy[dice.below(copy.length)] = dice.below(256);
      return copy;
    }
  }
}
