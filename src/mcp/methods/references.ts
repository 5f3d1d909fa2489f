import type { Outline } from "../../contract/endpoint/outline.ts";
import { notFound, Refusal } from "../../core/errors.ts";
import { isFullId } from "../../core/id-form.ts";
import { serverArgument } from "../catalogue/server-scope.ts";
import { nameCap } from "../../core/text/escape-plan.ts";
import { quoted } from "../result/quoted.ts";
import type { NearServer } from "../result/wording.ts";
import { isRelativeTime, readTime } from "../../core/relative-time.ts";
import { toTimestamp } from "../../core/time.ts";
import type { McpRequest } from "./request.ts";

/** Arguments as the endpoint takes them: ids in place of names, ISO 8601 in place of other times. */
export interface Resolved {
  readonly args: Record<string, unknown>;
  /** Set if a name is wrong; the call is refused with it where its input is checked. */
  readonly refusal: Refusal | null;
  /** The instants that relative times stood for, by argument. */
  readonly times: Readonly<Record<string, string>>;
  /** What was sent as the server if it names none of the caller's; null if it does, or must not be compared. */
  readonly unknownServer: string | null;
}

/** Replaces names by ids and relative times by instants; fills in the server of a limited connection. */
export async function resolved(
  { backend, narrowing }: Pick<McpRequest, "backend" | "narrowing">,
  endpoint: Outline,
  sent: Record<string, unknown>,
): Promise<Resolved> {
  const args = { ...sent };
  const times: Record<string, string> = {};
  const now = backend.now();
  for (const { name, isInstant } of endpoint.fields.values()) {
    const value = args[name];
    if (!isInstant || typeof value !== "string") continue;
    const instant = readTime(value, now);
    if (instant === null) continue;
    args[name] = isIso(value) ? value : toTimestamp(instant);
    if (isRelativeTime(value)) times[name] = toTimestamp(instant);
  }
  const { refusal, unknownServer = null } = await resolveServer(backend, endpoint, args, narrowing.server);
  return { args, refusal, times, unknownServer };
}

/** REST reads ISO times itself, so they stay as they were sent. */
const isIso = (text: string): boolean => text.includes("T");

async function resolveServer(
  backend: McpRequest["backend"],
  { fields }: Outline,
  args: Record<string, unknown>,
  scope: string | null,
): Promise<{ readonly refusal: Refusal | null; readonly unknownServer?: string | null }> {
  const field = fields.get(serverArgument);
  const sent = args[serverArgument];
  const text = scope ?? sent;
  if (field === undefined || typeof text !== "string") return { refusal: null };
  const [only, ...others] = (await serversOf(backend, text)) ?? [text];
  if (others.length > 0 && only !== undefined)
    return { refusal: scope === null ? ambiguous([only, ...others]) : scopeOfSeveral() };
  // A limited connection knows the name of no other server.
  const unknownServer = only === undefined && scope === null ? text : null;
  // In a path, the endpoint refuses it as an unknown id; in a filter, it would refuse its form.
  if (only === undefined && field.place !== "path") return { refusal: notFound(), unknownServer };
  const own = only ?? text;
  args[serverArgument] = own;
  if (scope === null || sent === undefined || sent === own) return { refusal: null, unknownServer };
  const meant = typeof sent === "string" ? await serversOf(backend, sent) : null;
  return { refusal: meant?.length === 1 && meant[0] === own ? null : outOfScope() };
}

/** The ids of the caller's servers that the text names; null if they cannot be looked up now. */
async function serversOf(backend: McpRequest["backend"], text: string): Promise<readonly string[] | null> {
  if (text === "" || isFullId(text)) return [text];
  const found = await backend.find("server", text);
  return found && found.map(({ id }) => id);
}

/** The caller's own servers whose names are near what was sent as a server; none if it named one. */
export async function proposedServers(
  { backend }: Pick<McpRequest, "backend">,
  unknownServer: string | null,
): Promise<readonly NearServer[]> {
  const near = unknownServer === null ? null : await backend.serversNear(unknownServer);
  return (near ?? []).map(({ id, name }) => ({ id, name: quoted(name ?? "", nameCap) }));
}

/** Null if the server does not exist or cannot be looked up now. */
export async function scopedServer(backend: McpRequest["backend"], scope: string): Promise<string | null> {
  const found = await serversOf(backend, scope);
  return found?.length === 1 ? (found[0] ?? null) : null;
}

const ambiguous = (ids: readonly string[]): Refusal =>
  new Refusal(
    "validation_error",
    `${ids.length} of the account's servers have this name. Send the id of one of them: ${ids.join(", ")}.`,
    { field: serverArgument, server_ids: ids },
  );

/** The ids are left out, because this connection may know only one server. */
const scopeOfSeveral = (): Refusal =>
  new Refusal(
    "validation_error",
    "This connection is limited to one server by a name that several servers have. Ask the person who set it up to use the server's id instead.",
    { field: serverArgument },
  );

/** The same sentence for every other server, whether it exists or not. */
const outOfScope = (): Refusal =>
  new Refusal(
    "validation_error",
    `This connection is limited to one server. Leave ${serverArgument} out: it is filled in.`,
    { field: serverArgument },
  );
