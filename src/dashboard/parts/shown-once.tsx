import type { ComponentChildren } from "preact";
import { Copyable } from "./copyable.tsx";
import { Card, Notice } from "./state.tsx";

interface ShownOnceProps {
  readonly id: string;
  readonly secret: string;
  /** What to do with the secret, and when it is lost. */
  readonly children: ComponentChildren;
}

/** A secret that only this page shows. */
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
