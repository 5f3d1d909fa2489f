import { Card, State } from "./state.tsx";

/** The only page that shows the new codes. */
export function RecoveryCodes({ codes, back }: { codes: readonly string[]; back: string }) {
  return (
    <Card title="Recovery codes" aside={<State means="good">the second factor is on</State>}>
      <p>
        Keep these codes where you keep nothing else of this account. Each of them replaces a code of the app
        or a passkey once. This page is the only one that shows them.
      </p>
      <ul class="plain-list">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        <a href={back}>I have kept them</a>
      </p>
    </Card>
  );
}
