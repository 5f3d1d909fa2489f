import type { ComponentProps } from "preact";
import type { Refusal } from "../../../core/errors.ts";
import { CompareTwo } from "./compare-two.tsx";
import { Card, Notice } from "../../parts/state.tsx";

interface ChooseTwoProps extends ComponentProps<typeof CompareTwo> {
  /** Why what was asked for was not compared; null where two are not named. */
  readonly refusal: Refusal | null;
}

/** What a comparison shows while there are no two to compare. */
export function ChooseTwo({ refusal, ...choice }: ChooseTwoProps) {
  return (
    <>
      {refusal === null ? (
        <p class="quiet">Nothing is compared yet: the address of this page does not name two.</p>
      ) : (
        <Notice means="bad">
          {refusal.status === 404 ? "One of the two does not exist." : whyNot(refusal)}
        </Notice>
      )}
      <Card title="Compare two">
        <CompareTwo {...choice} />
      </Card>
    </>
  );
}

const whyNot = ({ message, details }: Refusal): string =>
  details["field"] === "target" ? "Both are the same one. Choose another." : message;
