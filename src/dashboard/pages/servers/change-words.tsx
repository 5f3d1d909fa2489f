import type { HealthChange } from "../../../core/health/health.ts";
import { Text } from "../../parts/value.tsx";
import { changeNames } from "../../words/health.ts";

type Written = HealthChange["from"];

/** A window of maintenance has only its kind; other changes have a subject, or values before and after. */
export function ChangeWords({
  of: { kind, subject, from, to },
}: {
  of: Omit<HealthChange, "event_id" | "at">;
}) {
  return (
    <>
      {changeNames[kind]}
      {subject !== null && (
        <>
          : <Text value={subject} none="without a title" />
        </>
      )}
      {from !== null && to !== null && (
        <>
          , <Value of={from} /> → <Value of={to} />
        </>
      )}
      {(from === null) !== (to === null) && (
        <>
          , <Value of={from ?? to} />
        </>
      )}
    </>
  );
}

const Value = ({ of }: { of: Written }) => <Text value={String(of)} />;
