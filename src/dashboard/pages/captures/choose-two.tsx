import type { ComponentProps } from "preact";
import type { Refusal } from "../../../core/errors.ts";
import { CompareTwo } from "./compare-two.tsx";
import { Card, Empty, Notice } from "../../parts/state.tsx";

interface ChooseTwoProps extends ComponentProps<typeof CompareTwo> {
  /** Why the requested comparison failed; null if the address does not name two. */
  readonly refusal: Refusal | null;
}

export function ChooseTwo({ refusal, ...choice }: ChooseTwoProps) {
  if (choice.options.length < 2 && refusal === null)
    return (
      <Empty
        title="There are no two to compare yet"
        next={<a href={choice.to.replace(/\/compare$/, "#add")}>Request or upload another one</a>}
      >
        <p>What grew and what shrank between two of them will be here.</p>
      </Empty>
    );
  return (
    <>
      {refusal === null ? (
        <p class="quiet">Nothing is compared yet. Choose two below.</p>
      ) : (
        <Notice means="bad">
          {refusal.status === 404
            ? "One of the two does not exist. Choose another one below."
            : whyNot(refusal)}
        </Notice>
      )}
      <Card title="Compare two">
        <CompareTwo {...choice} />
      </Card>
    </>
  );
}

const whyNot = ({ message, details }: Refusal): string =>
  details["field"] === "target" ? "Both are the same. Choose another one." : message;
