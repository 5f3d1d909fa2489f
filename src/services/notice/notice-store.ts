import type { NoticeStore } from "../../core/notice/store.ts";
import { claimDispatch } from "./claim-dispatch.ts";
import { settleDispatch } from "./settle-dispatch.ts";
import type { Database } from "../../store/engine/database.ts";
import { noticeReads } from "../../store/notice/notices.ts";

export const noticeStore = (db: Database): NoticeStore => ({
  ...noticeReads(db),
  claimDispatch: (now) => claimDispatch(db, now),
  settleDispatch: (...request) => db.write("saved", () => settleDispatch(...request)),
});
