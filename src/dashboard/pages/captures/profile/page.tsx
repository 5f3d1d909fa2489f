import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { Refusal } from "../../../../core/errors.ts";
import { getProfile } from "../../../../endpoints/api/profile/get-profile.ts";
import { listProfileSummaries } from "../../../../endpoints/api/profile/list-profile-summaries.ts";
import { getCaptureState } from "../../../../actions/server/get-capture-state.ts";
import { getFlameTree } from "../../../../actions/profile/get-flame-tree.ts";
import { listProfileLinks } from "../../../../actions/profile/list-profile-links.ts";
import { getFlameGraph } from "../../../../actions/profile/get-flame-graph.ts";
import { personPage, type PageRequest } from "../../../page.ts";
import { CompareTwo } from "../compare-two.tsx";
import { FlameGraphView } from "../flame-graph.tsx";
import { chartsAround } from "../../../parts/charts-around.ts";
import { ServerHead } from "../../../parts/server-head.tsx";
import { Card, Notice } from "../../../parts/state.tsx";
import { clock } from "../../../parts/value.tsx";
import { Capture } from "./capture.tsx";
import { Categories, KeyPoints, MethodTable, OwnerChoice, Owners, Stacks, withoutMethods } from "./lists.tsx";
import { MeasuredWindows } from "./measured.tsx";
import { makeLink, revokeLink, ShareCard } from "./share-card.tsx";
import { profileOption } from "../profiles/page.tsx";

/** Other profiles that can be chosen for a comparison. */
const offered = 25;

/** Of an old profile only the summary is left. */
export const profilePage = personPage({
  path: "/servers/{id}/profiles/{profile}",
  data: { tree: readTree },
  actions: { "make-link": makeLink, "revoke-link": revokeLink },
  once: {
    "make-link":
      "This form was sent before, so no second link was made. The link was shown only once, in the first answer. If you do not have it, revoke it and make another.",
  },

  async show({ call, params, query, now }) {
    const server_id = params["id"] ?? "";
    const id = params["profile"] ?? "";
    const { server_name } = await call(getCaptureState, { server_id });
    const { profile, graph } = await call(getFlameGraph, { server_id, profile_id: id });
    const owner = query.get("owner") ?? undefined;
    const { profile_id } = profile;
    const full = profile_id === null ? null : await call(getProfile, { server_id, profile_id, owner });
    const links = graph && (await call(listProfileLinks, { server_id, profile_id: id })).data;
    const others = (await call(listProfileSummaries, { server_id, limit: offered })).data;
    const taken = clock(profile.captured_at ?? profile.uploaded_at ?? 0);
    return {
      title: `Profile of ${taken}`,
      scripts: graph ? ["flame.js"] : [],
      styles: graph ? ["flame.css"] : [],
      body: (
        <>
          <ServerHead id={server_id} name={server_name} />
          <div class="title">
            <h2>Profile of {taken}</h2>
            <p class="row">
              {profile.captured_at !== null && (
                <a href={chartsAround(server_id, Date.parse(profile.captured_at))}>Charts around it</a>
              )}
              <a href={`/servers/${server_id}/profiles`}>All profiles</a>
            </p>
          </div>
          <Capture profile={profile} full={full} />
          {full?.detail?.measured && <MeasuredWindows server={server_id} measured={full.detail.measured} />}
          <KeyPoints points={profile.summary.key_points} />
          {graph && <Flame graph={graph} />}
          {full?.detail ? <Full detail={full.detail} /> : <SummaryAlone profile={profile} />}
          <Categories rows={profile.summary.categories} />
          {links && <ShareCard links={links} now={now} />}
          <Card title="Compare">
            <CompareTwo
              to={`/servers/${server_id}/profiles/compare`}
              options={[
                profileOption(profile),
                ...others.filter(({ id }) => id !== profile.id).map(profileOption),
              ]}
              base={profile.id}
            />
          </Card>
        </>
      ),
    };
  },
});

/** All calls, for the page's script. */
async function readTree({ call, params }: PageRequest<SessionCaller>) {
  const ids = { server_id: params["id"] ?? "", profile_id: params["profile"] ?? "" };
  const { tree } = await call(getFlameTree, ids);
  if (!tree) throw new Refusal("not_found", "The calls of this profile are no longer kept.");
  return tree;
}

type Drawn = NonNullable<PersonAnswer<typeof getFlameGraph>["graph"]>;

function Flame({ graph }: { graph: Drawn }) {
  return (
    <Card title="Flame graph">
      <FlameGraphView graph={graph} />
    </Card>
  );
}

function Full({ detail }: { detail: NonNullable<PersonAnswer<typeof getProfile>["detail"]> }) {
  return (
    <>
      <Owners rows={detail.owners} byTotal={detail.owners_by_total} isCut={detail.owners_truncated} linked />
      <OwnerChoice filter={detail.owner_filter} />
      <MethodTable rows={detail.methods} isCut={detail.methods_truncated} />
      <Stacks paths={detail.paths} isCut={detail.paths_truncated} />
    </>
  );
}

function SummaryAlone({ profile }: { profile: PersonAnswer<typeof getFlameGraph>["profile"] }) {
  const { owners, owners_by_total, owners_complete, methods } = profile.summary;
  return (
    <>
      <Notice>
        {profile.profile_id === null
          ? "The plan's limits deleted the full profile. Its summary is kept for a year."
          : "The upload can no longer be read. This is its summary."}
      </Notice>
      <Owners rows={withoutMethods(owners)} byTotal={owners_by_total} isCut={!owners_complete} />
      <MethodTable
        rows={methods.map(({ method, owner, pct }) => ({
          method,
          owner,
          self_pct: pct,
          total_pct: null,
          exact: true,
        }))}
        isCut={false}
      />
    </>
  );
}
