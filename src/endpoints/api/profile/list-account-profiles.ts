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
import { readOwnRows, rowItself } from "../../../services/server/read-own-rows.ts";
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

  async handle({ server_id, trigger, owner, limit, ...input }, context) {
    const { caller, now, after, page } = context;
    const filter = {
      serverId: server_id ?? null,
      trigger: trigger ?? null,
      owner: owner ?? null,
      ...readSpan(input, now),
    };
    const wanted = [caller.account.id, filter, timePosition(after), limit + 1] as const;
    const rows = await readOwnRows(
      context,
      caller.account.id,
      (from) => from.read(selectProfiles, ...wanted),
      rowItself,
    );
    return page(rows, limit, (row) => [profileTime(row), row.id], toAccountProfile);
  },
});
