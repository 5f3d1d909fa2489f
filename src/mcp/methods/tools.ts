import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import { toldOfArguments } from "../result/argument-error.ts";
import { canBeId } from "../../core/id-form.ts";
import type { Attachment } from "../result/attachment.ts";
import type { Block } from "../result/block.ts";
import type { NamedKind } from "../../contract/endpoint/find-named.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import {
  ask,
  askerOf,
  listCache,
  mayCall,
  nobody,
  readerOf,
  refuse,
  type Exchange,
  type Params,
  type Reply,
} from "./request.ts";
import { headed, longestHead } from "../result/preview.ts";
import { idSources } from "../result/id-sources.ts";
import { isOffered } from "../catalogue/narrowing.ts";
import type { Said } from "../consent/person.ts";
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
  exchange: Exchange,
): Promise<Reply> {
  const asker = await readerOf(exchange);
  const listed = tools.filter(({ view }) => mayCall(view.endpoint, asker));
  return { result: { tools: listed.map(({ definition }) => definition) }, cache: listCache };
}

/**
 * Which tools a caller is offered, as text that changes with them; null where that cannot be known now. Nothing
 * counts it.
 */
export async function toolsOffered(
  catalogue: Pick<Catalogue<Outline>, "tools">,
  exchange: Exchange,
): Promise<string | null> {
  const { backend, guarded, narrowing } = exchange;
  const known = await backend.peekAsker(exchange.requestId);
  // Over stdio a refused token is offered what is public, as in the list.
  if (!known.ok && (known.status !== 401 || guarded)) return null;
  const asker = known.ok ? known.asker : nobody;
  return catalogue.tools
    .filter((tool) => isOffered(tool, narrowing) && mayCall(tool.view.endpoint, asker))
    .map(({ definition }) => definition.name)
    .join();
}

/** Word that the list of tools is another one now. */
export const toolsChanged = { jsonrpc: "2.0", method: "notifications/tools/list_changed" } as const;

export async function callTool(
  { tools, wording }: Catalogue<Outline>,
  params: Params,
  exchange: Exchange,
): Promise<Reply> {
  const { name, arguments: sent = {} } = params;
  const tool = tools.find(({ definition }) => definition.name === name);
  if (!tool) return refuse(exchange, rpcCode.invalidParams, "Unknown tool");
  if (!isJsonObject(sent))
    return refuse(exchange, rpcCode.invalidParams, "The arguments of a tool are an object");
  const { view, heads } = tool;
  const { args: own, pieces, top } = ownAsked(tool, sent);
  const { args, refusal, times } = await resolved(exchange, view.endpoint, own);
  const said = refusal === null ? await askedFirst(tool, args, exchange) : null;
  if (said !== null && said.action !== "accept") return { result: notMade(said.action, wording) };
  const progress = followed(exchange, params, 1 + pieces.length);
  const answer = await ask(exchange, view.endpoint, inputOf(view, args), refusal);
  await exchange.log?.("debug", { tool: tool.definition.name, arguments: Object.keys(sent).length });
  if (!answer.ok) {
    const idsFrom = await idSources({ tools }, exchange, view, answer);
    const refused = toldOfArguments(tool, args, answer, wording);
    return { result: { ...toolResult(view, args, refused, wording, { ...nothingSaid, idsFrom }) } };
  }
  const { value, gone } =
    heads === null ? { value: answer.value, gone: 0 } : headed(answer.value, heads, top);
  const beside = {
    plan: await planNotes(exchange, view, args, value, wording),
    more: [
      ...(gone > 0 ? [wording.notes.headsShown(gone)] : []),
      ...(isPage(value) && value.page.has_more && Object.keys(times).length > 0
        ? [wording.notes.timesTaken(times)]
        : []),
    ],
    urls: await urlsOf(view, args, answer.value, exchange.backend),
  };
  const result = toolResult(view, args, { ...answer, value }, wording, beside);
  await exchange.log?.("debug", { tool: tool.definition.name, characters: result.content[0].text.length });
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
 * What a person who can be asked says before the call; null where there is nothing to ask. A call that would be
 * refused anyway is not asked about: people who are asked for nothing stop reading.
 */
async function askedFirst(
  { asksFirst, view }: Tool<Outline>,
  args: Record<string, unknown>,
  exchange: Exchange,
): Promise<Said | null> {
  const { person, narrowing, backend, guarded, requestId } = exchange;
  if (asksFirst === null || person === null || !narrowing.confirm) return null;
  if (!canName(view.endpoint, args)) return null;
  if (guarded) {
    if (!mayCall(view.endpoint, await askerOf(exchange))) return null;
    if (!(await backend.takes(view.endpoint, args))) return null;
    // Elsewhere only the service knows what the caller may do now; of nobody it is known here.
  } else if ((await backend.knownAsker(requestId))?.anonymous) return null;
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

/** The call was not made, so there is nothing to tell of it but that. */
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

/** Tells a caller that follows how many of its steps a call has behind it. */
function followed({ notify }: Exchange, { _meta: meta }: Params, total: number): (progress: number) => void {
  const token = isJsonObject(meta) ? meta["progressToken"] : undefined;
  if (notify === null || token === undefined || total === 1) return () => {};
  return (progress) => notify("notifications/progress", { progressToken: token, progress, total });
}

interface OwnAsked {
  /** What is the endpoint's. */
  readonly args: Record<string, unknown>;
  readonly pieces: Attachment["pieces"];
  readonly top: number | null;
}

/**
 * The endpoint's arguments without the tool's own. One of these with a wrong value stays: the endpoint refuses it
 * like any name it does not know, in the order in which everything is refused.
 */
function ownAsked({ attaches, heads }: Tool<Outline>, sent: Record<string, unknown>): OwnAsked {
  const args = { ...sent };
  const { top } = args;
  const isTop = heads !== null && isHead(top);
  if (isTop) delete args["top"];
  const asked = attaches?.argument ? args[attaches.argument] : attaches !== null;
  if (attaches?.argument && typeof asked === "boolean") delete args[attaches.argument];
  const attached = asked === true ? attaches : null;
  return {
    args: { ...attached?.input, ...args },
    pieces: attached?.pieces ?? [],
    top: isTop ? top : null,
  };
}

const isHead = (top: unknown): top is number =>
  typeof top === "number" && Number.isInteger(top) && top >= 1 && top <= longestHead;
