import { getAttention } from "../../../actions/notice/get-attention.ts";
import { personPage } from "../../page.ts";
import { EmptyList } from "../../parts/empty-list.tsx";
import { Empty } from "../../parts/state.tsx";
import { ranked } from "../../scripts/palette/rank.ts";
import { readFindable } from "./entries.ts";

/** With a script, Ctrl+K does the same on every page. */
export const findPage = personPage({
  path: "/find",
  async show(request) {
    const typed = request.query.get("q") ?? "";
    const found = ranked(await readFindable(request), typed);
    return {
      title: "Find",
      body: (
        <>
          <h1>Find</h1>
          <form class="form inline" action="/find" role="search">
            <p class="field">
              <label for="find-q">Server, page, report or alert</label>
              <input id="find-q" type="search" name="q" value={typed} maxLength={200} />
            </p>
            <button>Find</button>
          </form>
          {found.length === 0 ? (
            <EmptyList
              query={request.query}
              now={request.now}
              one="server, page, report or alert"
              all="/find"
              filters={["q"]}
              filteredHint="Type a part of a name."
            >
              <Empty title="Nothing to find yet" next={<a href="/servers">Servers</a>} />
            </EmptyList>
          ) : (
            <ul class="plain-list">
              {found.map(({ kind, name, about, href }) => (
                <li key={`${kind} ${href}`}>
                  <a href={href}>
                    <bdi>{name}</bdi>
                  </a>{" "}
                  <span class="quiet small">{about === "" ? kind : `${kind}, ${about}`}</span>
                </li>
              ))}
            </ul>
          )}
        </>
      ),
    };
  },
  data: { entries: readFindable, attention: ({ call }) => call(getAttention, {}) },
});
