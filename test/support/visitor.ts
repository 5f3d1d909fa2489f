import { startSession } from "../../src/contract/call/person.ts";
import type { Account } from "../../src/core/access/account.ts";
import type { Answer, TestService } from "./service.ts";

/** A browser without a screen: keeps cookies, reads pages, sends their forms. */
export interface Visitor {
  get(path: string): Promise<Answer>;
  /** Fetches the page, takes its form's token, and sends the form of that action. Redirects are not followed. */
  send(
    path: string,
    action: string,
    fields?: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<Answer>;
  readonly cookies: Map<string, string>;
}

export function visitor(service: TestService): Visitor {
  const cookies = new Map<string, string>();
  const keep = (answer: Answer): Answer => {
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [pair = ""] = line.split(";");
      const [name = "", value = ""] = pair.split("=", 2);
      if (value === "" || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const cookieHeader = (): Record<string, string> =>
    cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
  const get = async (path: string): Promise<Answer> =>
    keep(await service.request("GET", path, { headers: cookieHeader() }));
  const send: Visitor["send"] = async (path, action, fields = {}) => {
    const page = await get(path);
    const token = /name="_csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
    const form = new URLSearchParams({ _csrf: token, do: action });
    for (const [name, value] of Object.entries(fields))
      for (const one of typeof value === "string" ? [value] : value) form.append(name, one);
    const headers = { ...cookieHeader(), "content-type": "application/x-www-form-urlencoded" };
    return keep(await service.request("POST", path, { headers, body: form.toString() }));
  };
  return { get, send, cookies };
}

/** A visitor who is signed in to that account. */
export async function signedIn(service: TestService, account: Account): Promise<Visitor> {
  const made = visitor(service);
  const { secret } = await startSession(service.app, account, "tests", service.app.clock());
  made.cookies.set("tickmark", secret);
  return made;
}
