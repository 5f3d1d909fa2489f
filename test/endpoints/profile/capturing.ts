import { gunzipSync } from "node:zlib";
import { beforeEach, expect } from "vitest";
import type { PlanName } from "../../../src/core/access/plan.ts";
import { one, run } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import type { Json } from "../../support/payload.ts";
import type { Answer, Asked, LinkedServer, TestService } from "../../support/service.ts";
import { minuteMs, secondMs, type HandClock } from "../../support/clock.ts";
import { served } from "../../support/scene.ts";

export type Upload = "/profiles" | "/memory-reports";

/** An account with a server that uploads, and a token that reads what it uploaded. */
export interface Uploader {
  readonly server: LinkedServer;
  readonly token: string;
  /** As its plugin, a second after the upload before: JSON, unless headers say otherwise. */
  upload(path: Upload, body: unknown, headers?: Asked["headers"]): Promise<Answer>;
  /** The answer of an upload that was taken. */
  store(path: Upload, body: unknown, headers?: Asked["headers"]): Promise<Json>;
  /** Reads a path of the API. */
  get(path: string): Promise<Answer>;
  /** Reads a path below the server's own. */
  ofServer(path: string): Promise<Answer>;
}

/** A service whose tests each have an uploader of the plan `pro`. */
interface Capturing {
  readonly service: TestService;
  readonly clock: HandClock;
  readonly mine: Uploader;
  uploader(plan?: PlanName): Promise<Uploader>;
  /** Another server of the same account. */
  beside(one: Uploader): Promise<Uploader>;
}

function uploaderOf(service: TestService, clock: HandClock, server: LinkedServer, token: string): Uploader {
  const upload: Uploader["upload"] = (path, body, headers = {}) => {
    clock.advance(secondMs);
    const sent = body instanceof Uint8Array ? Buffer.from(body) : body;
    return service.request("POST", `/plugin/v1${path}`, { token: server.credential, body: sent, headers });
  };
  const get: Uploader["get"] = (path) => service.request("GET", `/api/v1${path}`, { token });
  return {
    server,
    token,
    upload,
    store: async (...sent) => {
      const answer = await upload(...sent);
      expect([answer.status, answer.text.slice(0, 300)]).toEqual([201, expect.anything()]);
      return answer.json;
    },
    get,
    ofServer: (path) => get(`/servers/${server.id}${path}`),
  };
}

export function capturing(): Capturing {
  const shared = served();
  const { clock } = shared;
  let mine: Uploader;
  const uploader: Capturing["uploader"] = async (plan = "pro") => {
    const { service } = shared;
    const owner = await service.account(plan);
    return uploaderOf(service, clock, await service.server(owner), await service.token(owner));
  };
  beforeEach(async () => {
    clock.advance(2 * minuteMs);
    mine = await uploader();
  });
  return {
    clock,
    get service() {
      return shared.service;
    },
    get mine() {
      return mine;
    },
    uploader,
    beside: async ({ server, token }) =>
      uploaderOf(shared.service, clock, await shared.service.server(server.owner), token),
  };
}

const tables = ["profile_summary", "profile_document", "memory_report", "memory_document"] as const;

const counts = tables.map((table) => ({
  table,
  rows: query<Record<string, never>>()((db) =>
    db.selectFrom(table).select((of) => of.fn.countAll<number>().as("rows")),
  ),
}));

/** Rows of everything uploads leave behind, by table. */
export async function storedCaptures({ service }: TestService): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { table, rows } of counts)
    found[table] = (await service.database.read(() => one(rows, {})))?.rows ?? 0;
  return found;
}

const dropReadings = [
  query<{ id: string }>()((db, $) => db.deleteFrom("profile_reading").where("profile_id", "=", $.id)),
  query<{ id: string }>()((db, $) => db.deleteFrom("memory_reading").where("report_id", "=", $.id)),
];

/** Takes away what was worked out of a document at its upload, as of one that an earlier version stored. */
export const forgetReadings = ({ service }: TestService, id: string): Promise<void> =>
  service.database.write(function* () {
    for (const drop of dropReadings) yield* run(drop, { id });
  });

const spoilProfile = query<{ id: string; document: Uint8Array }>()((db, $) =>
  db.updateTable("profile_document").set({ document: $.document }).where("id", "=", $.id),
);
const spoilReport = query<{ id: string; document: Uint8Array }>()((db, $) =>
  db.updateTable("memory_document").set({ document: $.document }).where("report_id", "=", $.id),
);

/** Writes bytes that no version reads in the place of a stored document, as a hand in the database would. */
export async function spoilDocument(service: TestService, path: Upload, id: string): Promise<number> {
  await forgetReadings(service, id);
  const document = Buffer.from("edited by hand");
  return service.service.database.write(() =>
    run(path === "/profiles" ? spoilProfile : spoilReport, { id, document }),
  );
}

const switchOff = query<{ id: string }>()((db, $) =>
  db.updateTable("server").set({ monitoring_enabled: 0 }).where("id", "=", $.id),
);

/** Its owner took the server out of monitoring. */
export const switchMonitoringOff = ({ service }: TestService, { id }: LinkedServer): Promise<number> =>
  service.database.write(() => run(switchOff, { id }));

const profileRow = query<{ id: string }>()((db, $) =>
  db
    .selectFrom("profile_summary as p")
    .innerJoin("profile_document as d", "d.summary_id", "p.id")
    .selectAll("p")
    .select("d.document")
    .where("p.id", "=", $.id),
);
const reportRow = query<{ id: string }>()((db, $) =>
  db
    .selectFrom("memory_report as r")
    .innerJoin("memory_document as d", "d.report_id", "r.id")
    .selectAll("r")
    .select("d.document")
    .where("r.id", "=", $.id),
);

/** All that is stored of an upload, as text: its row, and its document unpacked. */
export async function storedText({ service }: TestService, path: Upload, id: string): Promise<string> {
  const { database } = service;
  const row = await (path === "/profiles"
    ? database.read(() => one(profileRow, { id }))
    : database.read(() => one(reportRow, { id })));
  if (row === null) throw new Error(`Nothing is stored of ${id}.`);
  const { document, ...rest } = row;
  return `${JSON.stringify(rest)}\n${gunzipSync(document).toString()}`;
}
