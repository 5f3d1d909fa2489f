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
  const { scopes, grantable, widenable } = request;
  const noteOn = (scope: Scope): string => {
    if (scopes.includes(scope)) return "";
    return widenable[0]?.scopes.includes(scope) === true ? " (it has this)" : " (not asked for)";
  };
  const inTurn = [
    ...grantable.filter((scope) => scopes.includes(scope)),
    ...grantable.filter((scope) => !scopes.includes(scope)),
  ];
  const reads = inTurn.filter((scope) => readScopes.includes(scope));
  const writes = inTurn.filter((scope) => !readScopes.includes(scope));
  return (
    <>
      <Scopes title="It may read" of={reads} noteOn={noteOn} ticked={ticked} />
      <Scopes title="It may also change things" of={writes} noteOn={noteOn} ticked={ticked} />
    </>
  );
}

interface ScopesProps {
  readonly title: string;
  readonly of: readonly Scope[];
  /** What is said beside a right that is not asked for. */
  readonly noteOn: (scope: Scope) => string;
  readonly ticked: readonly string[];
}

function Scopes({ title, of, noteOn, ticked }: ScopesProps) {
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
                {noteOn(scope)}
              </span>
            </>
          }
        />
      ))}
    </fieldset>
  );
}
