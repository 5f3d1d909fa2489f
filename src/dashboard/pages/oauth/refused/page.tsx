import { publicPage } from "../../../page.ts";

const reasons = new Map([
  [
    "invalid_client",
    "The program is not known to this service, or its description cannot be read. Connect it again.",
  ],
  [
    "document_unreachable",
    "The program describes itself at a web address, and this service could not fetch it. The reason is in the service's log. If this service has no access to the internet, its operator can switch such addresses off with TICKMARK_CLIENT_DOCUMENTS=off. The program then registers by itself.",
  ],
  [
    "invalid_redirect_uri",
    "The program requested a redirect to an address that it has not registered. Connect it again.",
  ],
  ["invalid_request", "The program's request is not complete, or it expired. Start again from the program."],
  [
    "access_denied",
    "The request was refused. To connect the program after all, start again from the program.",
  ],
]);

/** For a program's request that cannot be answered by a redirect to the program. */
export const signInRefusedPage = publicPage({
  path: "/oauth/refused",
  show: async ({ query }) => ({
    title: "Not connected",
    narrow: true,
    status: 400,
    body: (
      <section class="empty">
        <h1>This program was not connected</h1>
        <p>
          {reasons.get(query.get("error") ?? "") ??
            "The request cannot be continued. Start again from the program."}
        </p>
        <p>No access was granted.</p>
      </section>
    ),
  }),
});
