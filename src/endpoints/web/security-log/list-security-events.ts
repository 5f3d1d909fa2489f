import { selectSecurityLog } from "../../../store/security-log/security-log.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { Id } from "../../../core/id.ts";
import { timePosition, type Position } from "../../../core/position.ts";
import type { SecurityRecord } from "../../../core/security-log/event.ts";
import { thirdPartyText } from "../../../core/text/third-party-text.ts";
import { toTimestamp } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";

/** `times` how often it happened alike, first at `at`; `address` is that of the client, null where there was none. */
const SecurityEventRow = z.object({
  id: Id,
  at: Timestamp,
  last_at: Timestamp,
  times: z.int(),
  kind: z.string(),
  detail: z.string().nullable(),
  address: z.string().nullable(),
  account: z.object({ id: Id, email: z.string() }).nullable(),
  token: z.object({ id: Id, name: thirdPartyText(200) }).nullable(),
});

const toRow = ({ id, at, lastAt, times, kind, detail, address, account, token }: SecurityRecord) => ({
  id,
  at: toTimestamp(at),
  last_at: toTimestamp(lastAt),
  times,
  kind,
  detail,
  address,
  account,
  token,
});

const position = ({ at, id }: SecurityRecord): Position => [at, id];

const example = {
  input: { limit: 25 },
  output: {
    data: [
      {
        id: "019a9f5e-1d00-7000-8000-000000000009",
        at: "2026-11-20T08:00:00.000Z",
        last_at: "2026-11-20T08:00:41.000Z",
        times: 7,
        kind: "sign_in_refused",
        detail: "wrong",
        address: "203.0.113.7",
        account: { id: "019a9f5e-1d00-7000-8000-000000000001", email: "you@example.org" },
        token: null,
      },
    ],
    page: { cursor: null, has_more: false },
  },
};

export const listSecurityEvents = defineEndpoint({
  id: "security.list",
  method: "GET",
  path: "/account/security",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Refused attempts on the account and changes to its security in the last 90 days, newest first.",
  input: z.strictObject(pageInput),
  output: pageOf(SecurityEventRow),
  errors: [],
  example,

  async handle({ limit }, { db, caller, after, page }) {
    const rows = await db.read(selectSecurityLog, caller.account.id, timePosition(after), limit + 1);
    return page(rows, limit, position, toRow);
  },
});

export const listAllSecurityEvents = defineEndpoint({
  id: "security.list_all",
  method: "GET",
  path: "/admin/security",
  params: {},
  access: { face: "web", who: "admin" },
  summary: "The same for every account, and for attempts without an account.",
  input: z.strictObject(pageInput),
  output: pageOf(SecurityEventRow),
  errors: [],
  example,

  async handle({ limit }, { db, after, page }) {
    const rows = await db.read(selectSecurityLog, null, timePosition(after), limit + 1);
    return page(rows, limit, position, toRow);
  },
});
