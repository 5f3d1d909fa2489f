import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import { argumentErrorText } from "../result/argument-error.ts";
import { canBeId } from "../../core/id-form.ts";
import type { Attachment } from "../result/attachment.ts";
import type { Block } from "../result/block.ts";
import type { NamedKind } from "../../contract/endpoint/find-named.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import {
  callBackend,
  callerOf,
  listCache,
  mayCall,
  nobody,
  readerOf,
  refuseRequest,
  type McpRequest,
  type Params,
  type McpReply,
} from "./request.ts";
import { alertCountsNotes } from "../result/alert-counts-note.ts";
import { entriesOfPreview, longestPreview, preview } from "../result/preview.ts";
import { idSources } from "../result/id-sources.ts";
import { isOffered } from "../catalogue/narrowing.ts";
import type { ConfirmationAnswer } from "../consent/person.ts";
import { rightsNotes } from "../result/rights-note.ts";
import { planNotes } from "../result/plan-note.ts";
import { proposedServers, resolved } from "./references.ts";
import { inputOf, nothingSaid, toolResult } from "../result/result.ts";
import { rpcCode } from "../protocol/rpc.ts";
import type { Tool } from "../catalogue/tool.ts";
import { urlsOf } from "../result/urls.ts";
import { isPage } from "../result/view.ts";
import { toWire } from "../result/wire.ts";
import type { Wording } from "../result/wording.ts";

export async function listTools(
  { tools }: Catalogue<Outline>,
  _params: Params,
  context: McpRequest,
): Promise<McpReply> {
  const caller = await readerOf(context);
  const listed = tools.filter(({ view }) => mayCall(view.endpoint, caller));
  return { result: { tools: listed.map(({ definition }) => definition) }, cache: listCache };
}

/** The offered tools' names as one text; null if they cannot be known now. Counts no call. */
export async function toolsOffered(
  catalogue: Pick<Catalogue<Outline>, "tools">,
  context: McpRequest,
): Promise<string | null> {
  const { backend, guarded, narrowing } = context;
  const known = await backend.peekCaller(context.requestId);
  // Over stdio a caller with a refused token is offered the public tools, as in the list.
  if (!known.ok && (known.status !== 401 || guarded)) return null;
  const caller = known.ok ? known.caller : nobody;
  return catalogue.tools
    .filter((tool) => isOffered(tool, narrowing) && mayCall(tool.view.endpoint, caller))
    .map((tool) => tool.name)
    .join();
}

export const toolsChanged = { jsonrpc: "2.0", method: "notifications/tools/list_changed" } as const;

export async function callTool(
  { tools, wording }: Catalogue<Outline>,
  params: Params,
  context: McpRequest,
): Promise<McpReply> {
  const tool = tools.find(({ name }) => name === params["name"]);
  if (!tool) return refuseRequest(context, rpcCode.invalidParams, "Unknown tool");
  const given = params["arguments"] ?? {};
  if (!isJsonObject(given))
    return refuseRequest(context, rpcCode.invalidParams, "The arguments of a tool must be an object");
  const sent = withoutNulls(tool, given);
  const { view, previews } = tool;
  const { args: own, pieces, top } = ownArguments(tool, sent);
  const { args, refusal, times, unknownServer } = await resolved(context, view.endpoint, own);
  const consent = refusal === null ? await consentFor(tool, args, context) : null;
  if (consent !== null && consent.action !== "accept") return { result: notMade(consent.action, wording) };
  const progress = progressOf(context, params, 1 + pieces.length);
  const answer = await callBackend(context, view.endpoint, inputOf(view, args), refusal);
  await context.log?.("debug", { tool: tool.name, arguments: Object.keys(sent).length });
  if (!answer.ok) {
    const near = answer.body.error === "not_found" ? await proposedServers(context, unknownServer) : [];
    // A proposal saves the call of a list.
    const idsFrom = near.length > 0 ? [] : await idSources({ tools }, context, view, answer);
    const now = context.backend.now();
    const refused = argumentErrorText(tool, args, answer, wording);
    return {
      result: { ...toolResult(view, args, refused, wording, { ...nothingSaid, idsFrom, near, now }) },
    };
  }
  const { value, gone } =
    previews === null ? { value: answer.value, gone: 0 } : preview(answer.value, previews, top);
  const notShown = gone + moreServersIn(answer.value, view.endpoint);
  const beside = {
    plan: await planNotes(context, view, args, value, wording),
    more: [
      ...(notShown > 0 ? [wording.notes.headsShown(notShown)] : []),
      ...(isPage(value) && value.page.has_more && Object.keys(times).length > 0
        ? [wording.notes.timesTaken(times)]
        : []),
      ...(await alertCountsNotes(context, view, args, value, wording)),
      ...rightsNotes(value, wording),
    ],
    urls: await urlsOf(view, args, answer.value, context.backend),
    now: context.backend.now(),
  };
  const result = toolResult(view, args, { ...answer, value }, wording, beside);
  await context.log?.("debug", { tool: tool.name, characters: result.content[0].text.length });
  const attached: Block[] = [];
  for (const piece of pieces) {
    progress(1 + attached.length);
    attached.push(await piece(answer.value));
  }
  progress(1 + attached.length);
  if (attached.length === 0) return { result: { ...result } };
  // Some clients forward only structured content, and would lose the image.
  const { structuredContent: _same, ...rest } = result;
  return { result: { ...rest, content: [...result.content, ...attached] } };
}

/** Null: no question. Calls that would be refused ask none: people who are asked in vain stop reading. */
async function consentFor(
  { asksFirst, view }: Tool<Outline>,
  args: Record<string, unknown>,
  context: McpRequest,
): Promise<ConfirmationAnswer | null> {
  const { person, narrowing, backend, guarded, requestId } = context;
  if (asksFirst === null || person === null || !narrowing.confirm) return null;
  if (!canName(view.endpoint, args)) return null;
  if (guarded) {
    if (!mayCall(view.endpoint, await callerOf(context))) return null;
    if (!(await backend.takes(view.endpoint, args))) return null;
    // Over stdio the connector knows the caller's rights only if there is no token.
  } else if ((await backend.knownCaller(requestId))?.anonymous) return null;
  const nameOf = async (kind: NamedKind, id: string): Promise<string | null> =>
    (await backend.find(kind, id))?.[0]?.name ?? null;
  return asksFirst.ask(args, person, nameOf);
}

/** Whether every id that was sent has the form of an id. */
const canName = ({ fields }: Outline, args: Record<string, unknown>): boolean =>
  [...fields.values()].every(({ name, resource }) => {
    const id = args[name];
    return !resource || typeof id !== "string" || canBeId(id, resource.form);
  });

const notMade = (action: "decline" | "cancel", { notMade: words }: Wording) => ({
  content: [
    {
      type: "text",
      text: toWire(
        action === "decline"
          ? { error: "declined", message: words.declined }
          : { error: "unanswered", message: words.unanswered },
      ),
    },
  ],
  isError: true,
});

/** Sends how many steps of the call are done, if the caller gave a progress token. */
function progressOf(
  { notify }: McpRequest,
  { _meta: meta }: Params,
  total: number,
): (progress: number) => void {
  const token = isJsonObject(meta) ? meta["progressToken"] : undefined;
  if (notify === null || token === undefined || total === 1) return () => {};
  return (progress) => notify("notifications/progress", { progressToken: token, progress, total });
}

/**
 * Clients in strict mode send every argument: null stands for one that is left out, where it is no value itself.
 * REST takes no such null, as its document says.
 */
function withoutNulls(
  { attaches, previews, view }: Tool<Outline>,
  sent: Record<string, unknown>,
): Record<string, unknown> {
  const own = new Set([attaches?.argument, previews === null ? undefined : "top"]);
  const isLeftOut = ([name, value]: [string, unknown]): boolean =>
    value === null && (own.has(name) || view.endpoint.fields.get(name)?.hasOwnNull === false);
  return Object.fromEntries(Object.entries(sent).filter((entry) => !isLeftOut(entry)));
}

interface OwnArguments {
  readonly args: Record<string, unknown>;
  readonly pieces: Attachment["pieces"];
  readonly top: number | null;
}

/**
 * An own argument with a wrong value is left to the endpoint, which refuses it. An endpoint that takes `top` itself is
 * asked for no more rows than are shown.
 */
function ownArguments(
  { attaches, previews, view }: Tool<Outline>,
  sent: Record<string, unknown>,
): OwnArguments {
  const args = { ...sent };
  const { top } = args;
  const isTop = previews !== null && isHead(top);
  if (isTop) delete args["top"];
  const rows = previews?.["data"];
  if (takesTop(view.endpoint) && rows !== undefined && (isTop || top === undefined))
    args["top"] = isTop ? top : entriesOfPreview(rows);
  const isRequested = attaches?.argument ? args[attaches.argument] : attaches !== null;
  if (attaches?.argument && typeof isRequested === "boolean") delete args[attaches.argument];
  const attached = isRequested === true ? attaches : null;
  return {
    args: { ...attached?.input, ...args },
    pieces: attached?.pieces ?? [],
    top: isTop ? top : null,
  };
}

const takesTop = ({ fields }: Outline): boolean => fields.has("top");

/** The servers that the endpoint left out by `top`. */
const moreServersIn = (value: unknown, endpoint: Outline): number =>
  takesTop(endpoint) && isJsonObject(value) ? Number(value["more_servers"] ?? 0) : 0;

const isHead = (top: unknown): top is number =>
  typeof top === "number" && Number.isInteger(top) && top >= 1 && top <= longestPreview;
