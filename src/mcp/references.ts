import type { Outline } from "../contract/outline.ts";
import { notFound, Refusal } from "../core/errors.ts";
import { isFullId } from "../core/id-form.ts";
import { isRelativeTime, readTime } from "../core/relative-time.ts";
import { toTimestamp } from "../core/time.ts";
import type { Exchange } from "./exchange.ts";

/** Arguments in the words an endpoint takes: identifiers for names, ISO 8601 for other times. */
export interface Resolved {
  readonly args: Record<string, unknown>;
  /** What is wrong with a name; the call is refused with it where its input would be. */
  readonly refusal: Refusal | null;
  /** What relative times were taken as, by argument. */
  readonly times: Readonly<Record<string, string>>;
}

/** The argument that a server's name does for as well. */
const serverArgument = "server_id";

/** Puts identifiers and instants in the place of names and relative times. */
export async function resolved(
  { backend }: Pick<Exchange, "backend">,
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
  const refusal = await resolveServer(backend, endpoint, args);
  return { args, refusal, times };
}

/** What REST reads itself stays as it was sent. */
const isIso = (text: string): boolean => text.includes("T");

async function resolveServer(
  backend: Exchange["backend"],
  { fields }: Outline,
  args: Record<string, unknown>,
): Promise<Refusal | null> {
  const field = fields.get(serverArgument);
  const sent = args[serverArgument];
  if (field === undefined || typeof sent !== "string" || sent === "" || isFullId(sent)) return null;
  const found = await backend.find("server", sent);
  if (found === null) return null;
  const [only] = found;
  // In a path it is refused as every identifier of nothing is; a filter would take it for a mistake in form.
  if (only === undefined) return field.place === "path" ? null : notFound();
  if (found.length > 1) return ambiguous(found.map(({ id }) => id));
  args[serverArgument] = only.id;
  return null;
}

const ambiguous = (ids: readonly string[]): Refusal =>
  new Refusal(
    "validation_error",
    `${ids.length} of the account's servers have this name. Send the id of one of them: ${ids.join(", ")}.`,
    { field: serverArgument, server_ids: ids },
  );
