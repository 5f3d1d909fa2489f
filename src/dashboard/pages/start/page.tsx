import { Visibility } from "../../../core/report/report.ts";
import { listOffers } from "../../../endpoints/api/offer/list-offers.ts";
import { listReports } from "../../../endpoints/api/report/list-reports.ts";
import { needsSetUp } from "../../../actions/access/needs-set-up.ts";
import { hasSession } from "../../request-input.ts";
import { publicPage } from "../../page.ts";
import { Card } from "../../parts/state.tsx";
import { OfferRows } from "../offers/rows.tsx";
import { ReportRows } from "../reports/rows.tsx";

const shown = 6;

/** Redirects signed-in people to their servers and, before the first account, visitors to the set-up. */
export const startPage = publicPage({
  path: "/",
  async show(request) {
    if (hasSession(request)) return { to: "/servers" };
    if ((await request.call(needsSetUp, {})).needs_set_up) return { to: "/set-up" };
    const reports = await request.call(listReports, { visibility: Visibility.enum.public, limit: shown });
    const offers = await request.call(listOffers, { limit: shown });
    const shownOffers = offers.data.filter(({ evidence }) => evidence !== "none");
    return {
      title: "Game servers, measured",
      body: (
        <>
          <h1>Game servers, measured</h1>
          <div class="stack-half lead">
            <p>
              Tickmark benchmarks game servers, watches how they tick, and shows what slows them down. Every
              verdict shows the measurements behind it, or states that there are too few.
            </p>
            <p>
              People read the results here. Programs and assistants read the same figures over an API, with
              tokens that cannot delete anything.
            </p>
            <p class="row">
              <a class="button" href="/sign-in">
                Sign in
              </a>
              <a href="/docs">Read the documentation</a>
            </p>
          </div>
          <Card title="Latest public reports" aside={<a href="/reports">All reports</a>}>
            {reports.data.length === 0 ? (
              <p class="quiet">
                Nobody has published a report yet. A report is private until its author publishes it.
              </p>
            ) : (
              <ReportRows
                caption="Latest public reports"
                reports={reports.data}
                names={new Map()}
                now={request.now}
              />
            )}
          </Card>
          <Card title="Offers with evidence" aside={<a href="/offers">All offers</a>}>
            {shownOffers.length === 0 ? (
              <p class="quiet">No hosting offer has a report behind it yet.</p>
            ) : (
              <OfferRows caption="Offers with evidence" offers={shownOffers} now={request.now} />
            )}
          </Card>
        </>
      ),
    };
  },
});
