import type { ComponentChildren, VNode } from "preact";
import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import type { SessionCaller } from "../../../contract/call/caller.ts";
import type { Collectable } from "../../../core/server/collection.ts";
import type { Sender } from "../../../core/server/link-code.ts";
import type { Instant } from "../../../core/time.ts";
import { askForCapture } from "../../../actions/server/ask-for-capture.ts";
import { getCaptureState } from "../../../actions/server/get-capture-state.ts";
import { personPage, type DashboardPage, type PageRequest, type SentFile } from "../../page.ts";
import { CaptureRequest } from "./capture-request.tsx";
import { CompareTwo } from "./compare-two.tsx";
import { UploadCommand, UploadForm } from "./upload.tsx";
import { EmptyList } from "../../parts/empty-list.tsx";
import { LivePart } from "../../parts/live-part.tsx";
import { ServerHead } from "../../parts/server-head.tsx";
import { Card, Empty } from "../../parts/state.tsx";
import { NextPage } from "../../parts/table.tsx";

export const capturesAPage = 25;

type State = PersonAnswer<typeof getCaptureState>;
type Request = PageRequest<SessionCaller>;

export interface CaptureKind<Row> {
  /** The last part of the page's address. */
  readonly folder: "profiles" | "memory-reports";
  readonly what: Collectable;
  /** The singular without its article. */
  readonly one: string;
  /** One of them in words, with its article. */
  readonly called: string;
  /** The head of the list, which continues the page's title. */
  readonly heading: string;
  readonly title: (server: string) => string;
  readonly read: (
    request: Request,
    input: { server_id: string; limit: number; cursor: string | undefined },
  ) => Promise<{ readonly data: readonly Row[]; readonly page: { readonly cursor: string | null } }>;
  readonly Rows: (props: { readonly rows: readonly Row[]; readonly now: Instant }) => VNode;
  /** An entry of a choice: the id, and words. */
  readonly option: (row: Row) => readonly [id: string, words: string];
  /** How many of them the plan keeps, and for how long. */
  readonly kept: (keeps: State["keeps"]) => ComponentChildren;
  readonly none: {
    readonly title: string;
    readonly shows: string;
    /** The cause of an upload without a request, with a space in front; empty for none in particular. */
    readonly byItself: string;
    readonly files: ComponentChildren;
  };
  readonly upload: {
    readonly takes: string;
    readonly accept: string;
    readonly hint: string;
    readonly type: string;
    readonly file: string;
    /** The longest file, bytes. */
    readonly limit: number;
    /** Answers the id of the page that shows the new capture. */
    readonly save: (sent: SentFile<SessionCaller>, server_id: string) => Promise<string>;
  };
}

/** The list of a server's captures of one kind, with the forms that request, upload and compare them. */
export function capturesPage<Row>(kind: CaptureKind<Row>): DashboardPage {
  const { folder, what, called } = kind;
  const idOf = ({ params }: Pick<Request, "params">): string => params["id"] ?? "";
  const pathOf = (server_id: string): string => `/servers/${server_id}/${folder}`;

  const read = async (request: Request) => {
    const server_id = idOf(request);
    const state = await request.call(getCaptureState, { server_id });
    const cursor = request.query.get("cursor") ?? undefined;
    return { state, ...(await kind.read(request, { server_id, limit: capturesAPage, cursor })) };
  };
  const list = (request: Request, rows: readonly Row[], state: State) => (
    <List of={kind} rows={rows} state={state} all={pathOf(state.server_id)} request={request} />
  );
  const requestForm = (state: State, now: Instant) => (
    <CaptureRequest what={called} until={state.asked_until[what]} state={state} now={now} />
  );

  return personPage({
    path: pathOf("{id}"),

    async show(request) {
      const { state, data, page } = await read(request);
      return {
        title: kind.title(state.server_name ?? "a server"),
        scripts: ["upload.js"],
        body: (
          <>
            <ServerHead id={state.server_id} name={state.server_name} />
            <p class="quiet">{kind.kept(state.keeps)}</p>
            <LivePart of="list">{list(request, data, state)}</LivePart>
            <NextPage cursor={page.cursor} query={request.query} />
            <div class="columns">
              <Card title="Request one" id="add">
                <LivePart of="request">{requestForm(state, request.now)}</LivePart>
              </Card>
              <Card title="Upload one">
                <HowToUpload of={kind.upload} url={`${request.baseUrl}/plugin/v1/${folder}`} />
              </Card>
              <Compare to={`${pathOf(state.server_id)}/compare`} options={data.map(kind.option)} />
            </div>
          </>
        ),
      };
    },

    parts: {
      async list(request) {
        const { state, data } = await read(request);
        return list(request, data, state);
      },
      async request(request) {
        const state = await request.call(getCaptureState, { server_id: idOf(request) });
        return requestForm(state, request.now);
      },
    },

    actions: {
      async collect(sent) {
        await sent.call(askForCapture, { server_id: idOf(sent), what });
        return { to: pathOf(idOf(sent)) };
      },
    },

    upload: {
      limit: kind.upload.limit,
      async take(sent) {
        const server_id = idOf(sent);
        return { to: `${pathOf(server_id)}/${await kind.upload.save(sent, server_id)}` };
      },
    },
  });
}

interface ListProps<Row> {
  readonly of: CaptureKind<Row>;
  readonly rows: readonly Row[];
  readonly state: State;
  /** The list from its newest entry on. */
  readonly all: string;
  readonly request: Request;
}

function List<Row>({ of, rows, state, all, request: { query, now } }: ListProps<Row>) {
  if (rows.length === 0)
    return (
      <EmptyList query={query} now={now} one={of.one} all={all}>
        <None of={of.none} sender={state.sender} />
      </EmptyList>
    );
  return (
    <Card title={of.heading}>
      <of.Rows rows={rows} now={now} />
    </Card>
  );
}

function Compare({
  to,
  options,
}: {
  to: string;
  options: readonly (readonly [id: string, words: string])[];
}) {
  if (options.length === 0) return null;
  return (
    <Card title="Compare two">
      <CompareTwo to={to} options={options} />
    </Card>
  );
}

function None({ of, sender }: { of: CaptureKind<never>["none"]; sender: Sender }) {
  return (
    <Empty
      title={of.title}
      next={
        <p>
          The {sender} uploads one {sender === "plugin" && `by itself${of.byItself}, or`} when you{" "}
          <a href="#add">request it</a>. You can also upload {of.files}
        </p>
      }
    >
      <p>{of.shows}</p>
    </Empty>
  );
}

function HowToUpload({ of, url }: { of: CaptureKind<never>["upload"]; url: string }) {
  return (
    <UploadForm takes={of.takes} accept={of.accept}>
      <p>{of.hint}</p>
      <UploadCommand url={url} type={of.type} file={of.file} />
    </UploadForm>
  );
}
