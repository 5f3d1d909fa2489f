import { selectProfiles } from "../../../store/profile/profiles.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { IdFilter } from "../../../core/id.ts";
import { listedSpanInput, readSpan, spanMistake } from "../../../core/listed-span.ts";
import { timePosition } from "../../../core/position.ts";
import { AccountProfile } from "../../../core/profile/profile.ts";
import { profileTime, toAccountProfile } from "../../../core/profile/show.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import { exampleAccountProfile } from "./example-profile.ts";

export const listAccountProfiles = defineEndpoint({
  id: "profiles.list_all",
  method: "GET",
  path: "/monitoring/profiles",
  params: {},
  access: { face: "api", scope: "monitoring:read" },
  summary: "Profiles of all own servers, newest first, with the plugin that took the largest share of each.",
  input: z.strictObject({
    server_id: IdFilter.optional(),
    trigger: plainText(64, 1).optional(),
    owner: plainText(200, 1).optional(),
    ...listedSpanInput,
    ...pageInput,
  }),
  output: pageOf(AccountProfile),
  errors: ["validation_error"],
  example: {
    input: { owner: "ShopGUIPlus", days: 7 },
    output: { data: [exampleAccountProfile], page: { cursor: null, has_more: false } },
  },

  check(input, { fail }) {
    const mistake = spanMistake(input);
    if (mistake !== null) fail("validation_error", mistake, { field: "days" });
  },

  async handle({ server_id, trigger, owner, limit, ...input }, { db, caller, now, after, page }) {
    const filter = {
      serverId: server_id ?? null,
      trigger: trigger ?? null,
      owner: owner ?? null,
      ...readSpan(input, now),
    };
    const rows = await db.read(selectProfiles, caller.account.id, filter, timePosition(after), limit + 1);
    return page(rows, limit, (row) => [profileTime(row), row.id], toAccountProfile);
  },
});
