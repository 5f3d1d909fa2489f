import type { ConsentRequest } from "../../../../contract/call/consents.ts";
import type { Instant } from "../../../../core/time.ts";
import { Choice } from "../../../parts/form.tsx";
import { Notice } from "../../../parts/state.tsx";
import { grantWords } from "./replace-connection.tsx";
import { scopeWords } from "./scope-words.ts";

interface WidenConnectionProps {
  readonly request: ConsentRequest;
  /** Whether the plan has a place for one more connection. */
  readonly mayAdd: boolean;
  readonly now: Instant;
}

/** For a program that is connected and asks for more: names what it came for, and which connection gets it. */
export function WidenConnection({ request: { scopes, widenable }, mayAdd, now }: WidenConnectionProps) {
  const [newest] = widenable;
  if (newest === undefined) return null;
  const wanted = scopes.filter((scope) => !newest.scopes.includes(scope));
  const options = [
    ...widenable.map((grant): [string, string] => [grant.id, `The connection ${grantWords(grant, now)}`]),
    ...(mayAdd ? [["", "A new connection, which counts as one more token"] as [string, string]] : []),
  ];
  return (
    <>
      <Notice means="watch">
        <p>This program is connected already, and asks for more:</p>
        <ul>
          {wanted.map((scope) => (
            <li key={scope}>{scopeWords[scope]}</li>
          ))}
        </ul>
      </Notice>
      {options.length === 1 ? (
        <input type="hidden" name="widens" value={newest.id} />
      ) : (
        <Choice name="widens" label="Who gets these rights" options={options} of="allow" />
      )}
    </>
  );
}
