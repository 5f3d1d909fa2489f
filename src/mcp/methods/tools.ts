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
import { preview, longestPreview } from "../result/preview.ts";
import { idSources } from "../result/id-sources.ts";
import { isOffered } from "../catalogue/narrowing.ts";
import type { ConfirmationAnswer } from "../consent/person.ts";
import { planNotes } from "../result/plan-note.ts";
import { resolved } from "./references.ts";
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

/**
 * Which tools a caller is offered, as text that changes with them; null where that cannot be known now. Nothing
 * counts it.
 */
export async function toolsOffered(
  catalogue: Pick<Catalogue<Outline>, "tools">,
  context: McpRequest,
): Promise<string | null> {
  const { backend, guarded, narrowing } = context;
  const known = await backend.peekCaller(context.requestId);
  // Over stdio a refused token is offered what is public, as in the list.
  if (!known.ok && (known.status !== 401 || guarded)) return null;
  const caller = known.ok ? known.caller : nobody;
  return catalogue.tools
    .filter((tool) => isOffered(tool, narrowing) && mayCall(tool.view.endpoint, caller))
    .map((tool) => tool.name)
    .join();
}

/** The notification that the list of tools changed. */
export const toolsChanged = { jsonrpc: "2.0", method: "notifications/tools/list_changed" } as const;

export async function callTool(
  { tools, wording }: Catalogue<Outline>,
  params: Params,
  context: McpRequest,
): Promise<McpReply> {
  const { name, arguments: sent = {} } = params;
  const tool = tools.find((tool) => tool.name === name);
  if (!tool) return refuseRequest(context, rpcCode.invalidParams, "Unknown tool");
  if (!isJsonObject(sent))
    return refuseRequest(context, rpcCode.invalidParams, "The arguments of a tool must be an object");
  const { view, previews } = tool;
  const { args: own, pieces, top } = ownArguments(tool, sent);
  const { args, refusal, times } = await resolved(context, view.endpoint, own);
  const consent = refusal === null ? await consentFor(tool, args, context) : null;
  if (consent !== null && consent.action !== "accept") return { result: notMade(consent.action, wording) };
  const progress = progressOf(context, params, 1 + pieces.length);
  const answer = await callBackend(context, view.endpoint, inputOf(view, args), refusal);
  await context.log?.("debug", { tool: tool.name, arguments: Object.keys(sent).length });
  if (!answer.ok) {
    const idsFrom = await idSources({ tools }, context, view, answer);
    const refused = argumentErrorText(tool, args, answer, wording);
    return { result: { ...toolResult(view, args, refused, wording, { ...nothingSaid, idsFrom }) } };
  }
  const { value, gone } =
    previews === null ? { value: answer.value, gone: 0 } : preview(answer.value, previews, top);
  const beside = {
    plan: await planNotes(context, view, args, value, wording),
    more: [
      ...(gone > 0 ? [wording.notes.headsShown(gone)] : []),
      ...(isPage(value) && value.page.has_more && Object.keys(times).length > 0
        ? [wording.notes.timesTaken(times)]
        : []),
      ...(await alertCountsNotes(context, view, args, value, wording)),
    ],
    urls: await urlsOf(view, args, answer.value, context.backend),
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
  // Some clients forward nothing but what is structured, and would lose the image.
  const { structuredContent: _same, ...rest } = result;
  return { result: { ...rest, content: [...result.content, ...attached] } };
}

/**
 * The person's answer to the question before a write; null where there is no question. No question is asked about a
 * call that would be refused: people who are asked in vain stop reading.
 */
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
    // Over stdio only the service knows what the caller may do, unless there is no token.
  } else if ((await backend.knownCaller(requestId))?.anonymous) return null;
  const nameOf = async (kind: NamedKind, id: string): Promise<string | null> =>
    (await backend.find(kind, id))?.[0]?.name ?? null;
  return asksFirst.ask(args, person, nameOf);
}

/** Whether the ids that were sent could be of anything. */
const canName = ({ fields }: Outline, args: Record<string, unknown>): boolean =>
  [...fields.values()].every(({ name, resource }) => {
    const id = args[name];
    return !resource || typeof id !== "string" || canBeId(id, resource.form);
  });

/** The result of a call that was not made because the person declined or did not answer. */
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

/** Sends progress to a caller that gave a progress token: how many steps of the call are done. */
function progressOf(
  { notify }: McpRequest,
  { _meta: meta }: Params,
  total: number,
): (progress: number) => void {
  const token = isJsonObject(meta) ? meta["progressToken"] : undefined;
  if (notify === null || token === undefined || total === 1) return () => {};
  return (progress) => notify("notifications/progress", { progressToken: token, progress, total });
}

interface OwnArguments {
  /** What is the endpoint's. */
  readonly args: Record<string, unknown>;
  readonly pieces: Attachment["pieces"];
  readonly top: number | null;
}

/**
 * The endpoint's arguments without the tool's own. One of these with a wrong value stays: the endpoint refuses it
 * like any name it does not know, in the order in which everything is refused.
 */
function ownArguments({ attaches, previews }: Tool<Outline>, sent: Record<string, unknown>): OwnArguments {
  const args = { ...sent };
  const { top } = args;
  const isTop = previews !== null && isHead(top);
  if (isTop) delete args["top"];
  const isRequested = attaches?.argument ? args[attaches.argument] : attaches !== null;
  if (attaches?.argument && typeof isRequested === "boolean") delete args[attaches.argument];
  const attached = isRequested === true ? attaches : null;
  return {
    args: { ...attached?.input, ...args },
    pieces: attached?.pieces ?? [],
    top: isTop ? top : null,
  };
}

const isHead = (top: unknown): top is number =>
  typeof top === "number" && Number.isInteger(top) && top >= 1 && top <= longestPreview;
