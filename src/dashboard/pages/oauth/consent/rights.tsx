import type { ConsentRequest } from "../../../../contract/call/consents.ts";
import { readScopes, type Scope } from "../../../../core/access/scope.ts";
import { Check } from "../../../parts/form.tsx";
import { Words } from "../../../parts/words.tsx";
import { scopeWords } from "./scope-words.ts";

type Asked = Pick<ConsentRequest, "scopes" | "grantable" | "widenable">;

/** What is ticked at first: reads that are asked for; for a connection that lacks something, all that and what it has. */
export function tickedAtFirst({ scopes, widenable: [held] }: Asked): readonly Scope[] {
  return held === undefined
    ? scopes.filter((scope) => readScopes.includes(scope))
    : [...scopes, ...held.scopes];
}

/** Every right that the account could grant: those that are asked for come first. */
export function Rights({ request, ticked }: { request: Asked; ticked: readonly string[] }) {
  const { scopes, grantable } = request;
  const inTurn = [
    ...grantable.filter((scope) => scopes.includes(scope)),
    ...grantable.filter((scope) => !scopes.includes(scope)),
  ];
  const reads = inTurn.filter((scope) => readScopes.includes(scope));
  const writes = inTurn.filter((scope) => !readScopes.includes(scope));
  return (
    <>
      <Scopes title="It may read" of={reads} asked={scopes} ticked={ticked} />
      <Scopes title="It may also change things" of={writes} asked={scopes} ticked={ticked} />
    </>
  );
}

interface ScopesProps {
  readonly title: string;
  readonly of: readonly Scope[];
  readonly asked: readonly Scope[];
  readonly ticked: readonly string[];
}

function Scopes({ title, of, asked, ticked }: ScopesProps) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {of.map((scope) => (
        <Check
          key={scope}
          name="scope"
          value={scope}
          checked={ticked.includes(scope)}
          label={
            <>
              {scopeWords[scope]}{" "}
              <span class="quiet">
                <Words of={scope} />
                {asked.includes(scope) || " (not asked for)"}
              </span>
            </>
          }
        />
      ))}
    </fieldset>
  );
}
