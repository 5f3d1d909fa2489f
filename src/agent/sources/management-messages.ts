import type { Moderation } from "./log-moderation.ts";
import { withoutAddresses } from "./without-addresses.ts";
import type { LogFact } from "./log-fact.ts";

/** A message of JSON-RPC 2.0, as far as it is read. */
export interface ManagementMessage {
  readonly id: number | null;
  readonly method: string | null;
  readonly params: unknown;
  readonly result: unknown;
  readonly isError: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const textOf = (value: unknown, most: number): string | null =>
  typeof value === "string" && value !== "" ? value.slice(0, most) : null;

/** Null for what is no JSON object. */
export function messageOf(text: string): ManagementMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const { id, method, params, result, error } = fieldsOf(value);
  return {
    id: typeof id === "number" ? id : null,
    method: typeof method === "string" ? method : null,
    params,
    result,
    isError: error !== undefined,
  };
}

/** The names of the methods in an answer of `rpc.discover`; null if it is none. */
export function methodsIn(result: unknown): ReadonlySet<string> | null {
  const { methods } = fieldsOf(result);
  if (!Array.isArray(methods)) return null;
  const names = methods.map((one: unknown) => (typeof one === "string" ? one : fieldsOf(one)["name"]));
  return new Set(names.filter((name) => typeof name === "string"));
}

/** Of `minecraft:server/status`; a number that is not there is null. */
export function statusIn(result: unknown): { readonly isStarted: boolean; readonly players: number | null } {
  // Whoever names the values wraps the answer in its name.
  const fields = fieldsOf(result);
  const { started, players } = "status" in fields ? fieldsOf(fields["status"]) : fields;
  return {
    isStarted: started === true,
    players: Array.isArray(players) ? players.length : started === true ? 0 : null,
  };
}

/** The only value of a notification, by its place or by its name. */
function valueIn(params: unknown): unknown {
  if (Array.isArray(params)) return params[0];
  const values = Object.values(fieldsOf(params));
  return values.length === 1 && typeof values[0] === "object" ? values[0] : params;
}

const playerPattern = /^[\w.*-]{1,32}$/;

const nameIn = (value: unknown): string | null => {
  const name = textOf(fieldsOf(value)["name"], 33);
  return name !== null && playerPattern.test(name) ? name : null;
};

function banIn(value: unknown, type: "ban" | "ip_ban"): Moderation {
  const { player, reason, expires, source } = fieldsOf(value);
  const why = textOf(reason, 300);
  return {
    type: type === "ban" && typeof expires === "string" && expires !== "" ? "tempban" : type,
    player: type === "ban" ? nameIn(player) : null,
    by: textOf(source, 40) ?? "Server",
    reason: why === null ? null : withoutAddresses(why),
    isVerified: true,
  };
}

const unbanned = (player: string | null): Moderation => ({
  type: "unban",
  player,
  by: "Server",
  reason: null,
  isVerified: true,
});

const act = (moderation: Moderation): LogFact => ({ is: "moderation", moderation });

const notifications: Readonly<Record<string, (value: unknown) => LogFact>> = {
  "server/started": () => ({ is: "ready", tookMs: null }),
  "server/stopping": () => ({ is: "stopping" }),
  "bans/added": (value) => act(banIn(value, "ban")),
  "bans/removed": (value) => act(unbanned(nameIn(value))),
  "ip_bans/added": (value) => act(banIn(value, "ip_ban")),
  "ip_bans/removed": () => act(unbanned(null)),
};

/** Snapshots before 1.21.9 named them without the game's namespace. */
const namespace = /^(?:minecraft:)?notification[:/]/;

/** What a notification tells; null for those that tell nothing of use. */
export function factOfNotification({ method, params }: ManagementMessage): LogFact | null {
  if (method === null || !namespace.test(method)) return null;
  const name = method.replace(namespace, "");
  return Object.hasOwn(notifications, name) ? (notifications[name]?.(valueIn(params)) ?? null) : null;
}
