import type { ComponentChildren } from "preact";
import { getCaptureState } from "../../../actions/server/get-capture-state.ts";
import { personPage, type PageRequest } from "../../page.ts";
import { attempt, nothingRequested } from "../../request-input.ts";
import { ServerHead } from "../../parts/server-head.tsx";
import { ChooseTwo } from "./choose-two.tsx";

type Call = PageRequest["call"];

interface ComparisonPage<C> {
  /** The captures in the plural. */
  readonly captures: string;
  /** The segment of the path under the server's page. */
  readonly segment: string;
  /** Throws a `Refusal` of status 400 or 404 if the two cannot be compared. */
  readonly compare: (
    call: Call,
    input: { readonly server_id: string; readonly base: string; readonly target: string },
  ) => Promise<C>;
  /** Ids with labels. */
  readonly options: (call: Call, server_id: string) => Promise<readonly (readonly [string, string])[]>;
  readonly show: (comparison: C, server_id: string) => ComponentChildren;
}

/** Compares the two captures of the query, `base` and `other`, or lets a person choose two. */
export const comparisonPage = <C,>({ captures, segment, compare, options, show }: ComparisonPage<C>) =>
  personPage({
    path: `/servers/{id}/${segment}/compare`,

    async show({ call, params, query }) {
      const server_id = params["id"] ?? "";
      const { server_name } = await call(getCaptureState, { server_id });
      const base = query.get("base") ?? "";
      const target = query.get("other") ?? "";
      const { value: comparison, refusal } =
        base === "" || target === ""
          ? nothingRequested
          : await attempt([400, 404], () => compare(call, { server_id, base, target }));
      const offered = comparison === null ? await options(call, server_id) : null;
      const listPath = `/servers/${server_id}/${segment}`;
      const title = `Two ${captures} compared`;
      return {
        title,
        status: refusal?.status ?? 200,
        body: (
          <>
            <ServerHead id={server_id} name={server_name} />
            <div class="title">
              <h2>{title}</h2>
              <a href={listPath}>All {captures}</a>
            </div>
            {comparison && show(comparison, server_id)}
            {offered && (
              <ChooseTwo refusal={refusal} to={`${listPath}/compare`} options={offered} base={base} />
            )}
          </>
        ),
      };
    },
  });
