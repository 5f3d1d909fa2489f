import type { Outline } from "../../contract/endpoint/outline.ts";
import { notFound, Refusal } from "../../core/errors.ts";
import { isFullId } from "../../core/id-form.ts";
import { serverArgument } from "../catalogue/server-scope.ts";
import { isRelativeTime, readTime } from "../../core/relative-time.ts";
import { toTimestamp } from "../../core/time.ts";
import type { McpRequest } from "./request.ts";

/** Arguments in the words an endpoint takes: identifiers for names, ISO 8601 for other times. */
export interface Resolved {
  readonly args: Record<string, unknown>;
  /** What is wrong with a name; the call is refused with it where its input would be. */
  readonly refusal: Refusal | null;
  /** What relative times were taken as, by argument. */
  readonly times: Readonly<Record<string, string>>;
}

/**
 * Puts identifiers and instants in the place of names and relative times. Where the connection is limited to one
 * server, that is the server of every call.
 */
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
  const refusal = await resolveServer(backend, endpoint, args, narrowing.server);
  return { args, refusal, times };
}

/** What REST reads itself stays as it was sent. */
const isIso = (text: string): boolean => text.includes("T");

async function resolveServer(
  backend: McpRequest["backend"],
  { fields }: Outline,
  args: Record<string, unknown>,
  scope: string | null,
): Promise<Refusal | null> {
  const field = fields.get(serverArgument);
  if (field === undefined) return null;
  const sent = args[serverArgument];
  const text = scope ?? sent;
  if (typeof text !== "string") return null;
  const [only, ...others] = (await serversOf(backend, text)) ?? [text];
  if (others.length > 0 && only !== undefined)
    return scope === null ? ambiguous([only, ...others]) : scopeOfSeveral();
  // In a path it is refused as every identifier of nothing is; a filter would take it for a mistake in form.
  if (only === undefined && field.place !== "path") return notFound();
  const own = only ?? text;
  args[serverArgument] = own;
  if (scope === null || sent === undefined || sent === own) return null;
  const meant = typeof sent === "string" ? await serversOf(backend, sent) : null;
  return meant?.length === 1 && meant[0] === own ? null : outOfScope();
}

/** The ids of the caller's servers that a text stands for; null where that is not known now. */
async function serversOf(backend: McpRequest["backend"], text: string): Promise<readonly string[] | null> {
  if (text === "" || isFullId(text)) return [text];
  const found = await backend.find("server", text);
  return found && found.map(({ id }) => id);
}

/** The id of the one server that a connection is limited to; null where there is none, or it is not known now. */
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

/** It leaves their ids out: the connection is to know one server. */
const scopeOfSeveral = (): Refusal =>
  new Refusal(
    "validation_error",
    "This connection is limited to one server by a name that several servers have. Ask the person who set it up to use the server's id instead.",
    { field: serverArgument },
  );

/** One sentence for every other server, whether or not there is one. */
const outOfScope = (): Refusal =>
  new Refusal(
    "validation_error",
    `This connection is limited to one server. Leave ${serverArgument} out: it is filled in.`,
    { field: serverArgument },
  );
