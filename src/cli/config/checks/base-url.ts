import { isIP } from "node:net";
import { note, ok, wrong, type CheckResult, type ConfigCheck } from "../check.ts";
import { failureCode } from "../../../core/failure-code.ts";

const withinMs = 10_000;

/** Whether the base URL leads to a service of this program. */
export const baseUrlCheck: ConfigCheck = {
  name: "base URL",
  run: async ({ config: { baseUrl, trustProxy } }) => {
    if (baseUrl === null)
      return [
        note(
          "TICKMARK_BASE_URL is not set: links in mails lead to the address in use, which others may not reach.",
        ),
      ];
    return [await asked(baseUrl), ...ofPeople(new URL(baseUrl), trustProxy)];
  },
};

/** `/livez` answers every caller alike; behind a proxy, it shows that the proxy passes requests on. */
async function asked(baseUrl: string): Promise<CheckResult> {
  const url = `${baseUrl}/livez`;
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(withinMs) });
    const text = (await response.text()).trim();
    if (response.status === 200 && text === '{"status":"ok"}')
      return ok(`${baseUrl} leads to a service of Tickmark.`);
    const lead = response.headers.get("location");
    return wrong(
      `${url} answers ${response.status}${lead === null ? "" : ` and leads to ${lead}`}, which Tickmark does not: set TICKMARK_BASE_URL to the address of the service, or let the proxy pass requests on.`,
    );
  } catch (error) {
    return unanswered(url, error);
  }
}

function unanswered(url: string, error: unknown): CheckResult {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = failureCode(cause) ?? "";
  if (code === "ECONNREFUSED")
    return note(`Nothing listens at ${url}: start the service (and its proxy), and check again.`);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return wrong(
      `The host of ${url} has no address (${code}): enter it in the DNS, or correct TICKMARK_BASE_URL.`,
    );
  const why = code || (cause instanceof Error ? cause.message : String(cause));
  return wrong(`${url} gives no answer (${why}). Check the certificate, the proxy and the firewall.`);
}

/** What browsers will refuse at this URL, whatever the service does. */
function ofPeople({ protocol, hostname }: URL, trustProxy: readonly string[]): CheckResult[] {
  const isLocal = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  if (isLocal)
    return [
      note("The base URL leads to this machine alone: browsers and game servers elsewhere do not reach it."),
    ];
  const found: CheckResult[] = [];
  if (protocol === "http:")
    found.push(
      note(
        "The base URL is not https: passwords go over the network as they are, and there are no passkeys.",
      ),
    );
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0)
    found.push(note("The base URL has no domain name: there are no passkeys."));
  if (protocol === "https:" && trustProxy.length === 0)
    found.push(
      note(
        "A proxy makes it https, and TICKMARK_TRUST_PROXY names none: every caller has the address of the proxy.",
      ),
    );
  return found;
}
