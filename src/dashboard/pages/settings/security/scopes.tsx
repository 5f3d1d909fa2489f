import type { Scope } from "../../../../core/access/scope.ts";
import { Check } from "../../../parts/form.tsx";
import { Words } from "../../../parts/words.tsx";

/** What each scope allows. */
const opens: Readonly<Record<Scope, string>> = {
  "reports:read": "Reports, diagnosis, comparisons, tuning advice, before/after verdicts",
  "unit-tests:read": "Results of single tests",
  "servers:read": "Linked servers, server groups, regression verdict",
  "auto-bench:read": "Auto-bench targets and their jobs",
  "monitoring:read":
    "Status, metrics, events, overview, profiles, memory reports, maintenance, rules and alerts",
  "offers:read": "The catalogue of hosting offers",
  "servers:write": "Rename a server, change its visibility, manage groups and sort servers into them",
  "servers:link": "Link a new server by its code",
  "reports:write": "Change a report's visibility, description and private notes",
  "monitoring:write": "Create, edit and pause alert rules, send a test, acknowledge alerts, maintenance",
  "auto-bench:write": "Launch, cancel and reschedule runs of targets that exist",
};

const groups: readonly { readonly title: string; readonly of: (scope: Scope) => boolean }[] = [
  { title: "Reads", of: (scope) => scope.endsWith(":read") },
  { title: "Writes", of: (scope) => !scope.endsWith(":read") },
];

interface ScopeChoiceProps {
  /** Scopes that can be ticked. */
  readonly of: readonly Scope[];
  readonly ticked: readonly string[];
}

/** Reads are apart from writes. */
export function ScopeChoice({ of, ticked }: ScopeChoiceProps) {
  return (
    <>
      {groups.map((group) => {
        const members = of.filter((scope) => group.of(scope));
        return (
          members.length > 0 && (
            <fieldset key={group.title}>
              <legend>{group.title}</legend>
              {members.map((scope) => (
                <Check
                  key={scope}
                  name="scopes"
                  value={scope}
                  checked={ticked.includes(scope)}
                  label={<ScopeLine scope={scope} />}
                />
              ))}
            </fieldset>
          )
        );
      })}
    </>
  );
}

function ScopeLine({ scope }: { scope: Scope }) {
  return (
    <>
      <Words of={scope} /> <span class="hint">{opens[scope]}</span>
    </>
  );
}
