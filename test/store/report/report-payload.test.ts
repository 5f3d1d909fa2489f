import type { Database } from "../../../src/store/engine/database.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { selectReportPayload } from "../../../src/store/report/reports.ts";
import { beforeAll, expect, it } from "vitest";
import { storedPayload } from "../../../src/core/report/stored-payload.ts";
import { eachDatabase } from "../../support/databases.ts";
import { acceptedPayload } from "../../support/payload.ts";
import { newAccount, newReport, newServer } from "../engine/rows.ts";

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  async function stored(payload?: string) {
    const author = await newAccount(db);
    const { server } = await newServer(db, author);
    const report = newReport(author, server, payload === undefined ? {} : { payload });
    await db.write(addReport, report);
    return report;
  }

  it("[OUR-STO-30] a report's upload comes back as it was written", async () => {
    const text = '{ "z": 1.0, "a": "\\u0000\\ud800", "z": 1e400 }';
    const { id } = await stored(text);
    expect(await db.read(selectReportPayload, id)).toBe(text);
  });

  it("[OUR-DIA-17] an upload can be read from what is stored", async () => {
    const { id } = await stored();
    const text = await db.read(selectReportPayload, id);
    expect(storedPayload(text ?? "")).toEqual(acceptedPayload());
  });

  it.each(["", "{", "null", '{"schema":"service-benchmark-report/0"}'])(
    "[OUR-DIA-19] what is no upload of this version is read as none: %j",
    (text) => {
      expect(storedPayload(text)).toBeNull();
    },
  );

  it("[REP-05] an upload is asked for by the report's full id alone", async () => {
    const { shortId } = await stored();
    expect(await db.read(selectReportPayload, shortId)).toBeNull();
    expect(await db.read(selectReportPayload, "no such report")).toBeNull();
  });
});
