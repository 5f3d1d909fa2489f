import type { ComponentChildren } from "preact";
import { Copyable } from "./copyable.tsx";
import { Card, Notice } from "./state.tsx";

interface ShownOnceProps {
  /** The id of the element that holds the secret. */
  readonly id: string;
  readonly secret: string;
  /** What to do with it, and when it is lost. */
  readonly children: ComponentChildren;
}

/** A secret that this page alone shows. */
export const ShownOnce = ({ id, secret, children }: ShownOnceProps) => (
  <Card title="Copy it now">
    <Notice means="watch">
      <p>{children}</p>
    </Notice>
    <Copyable id={id} what="the secret">
      {secret}
    </Copyable>
  </Card>
);
