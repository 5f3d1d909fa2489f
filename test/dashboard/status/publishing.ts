import type { Account } from "../../../src/core/access/account.ts";
import type { StatusPage } from "../../../src/core/status-page/status-page.ts";
import { createStatusPage } from "../../../src/actions/status-page/create-status-page.ts";
import { asPerson } from "../../support/as-person.ts";
import type { Answer, TestService } from "../../support/service.ts";

/** Publishes a page of servers, each under a name. */
export async function publish(
  service: TestService,
  owner: Account,
  servers: readonly (readonly [id: string, name: string])[],
  more: { readonly title?: string; readonly address?: string; readonly shows_players?: boolean } = {},
): Promise<StatusPage> {
  const call = await asPerson(service, owner);
  return call(createStatusPage, {
    title: "A page",
    shows_players: true,
    servers: servers.map(([server_id, name]) => ({ server_id, name })),
    ...more,
  });
}

export interface Shown {
  readonly page: Answer;
  readonly badge: Answer;
  readonly chart: Answer;
}

/** The page at an address with its images, as somebody without a session gets them. */
export async function shownAt(service: TestService, address: string): Promise<Shown> {
  const get = (path: string): Promise<Answer> => service.request("GET", `/status/${address}${path}`);
  return { page: await get(""), badge: await get("/badge.svg"), chart: await get("/chart.svg") };
}

export const textsOf = ({ page, badge, chart }: Shown): string =>
  [page, badge, chart].map(({ text }) => text).join("\n");
