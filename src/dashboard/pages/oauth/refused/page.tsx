import { publicPage } from "../../../page.ts";

const reasons = new Map([
  [
    "invalid_client",
    "The program is not known here, or what it says of itself cannot be read. Connect it anew.",
  ],
  [
    "document_unreachable",
    "The program says who it is at an address of its own, and this service could not fetch that. The service's log says why. If this service does not reach the internet, its operator switches such addresses off with TICKMARK_CLIENT_DOCUMENTS=off; the program then registers by itself.",
  ],
  ["invalid_redirect_uri", "The program asked for an answer at an address that it has not registered."],
  [
    "invalid_request",
    "The program's request is not complete, or took too long. Start again from the program.",
  ],
  ["access_denied", "The request was refused."],
]);

/** Where a browser is led when a program's request cannot even be answered to the program. */
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
          {reasons.get(query.get("error") ?? "") ?? "The request cannot go on. Start again from the program."}
        </p>
        <p>Nothing was granted.</p>
      </section>
    ),
  }),
});
