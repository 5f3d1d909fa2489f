import { usePageContext } from "../frame.tsx";
import { describedBy, Labelled, useRefusal } from "./form.tsx";

interface TextAreaProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string | null;
  readonly rows?: number;
  readonly maxLength?: number;
  /** The action whose refusal restores the typed text. */
  readonly of: string;
}

export function TextArea({ name, label, hint, value, of, ...rest }: TextAreaProps) {
  const { problem } = usePageContext();
  const typed = problem?.action === of ? problem.form.get(name) : null;
  const id = `${of}-${name}`;
  const refusal = useRefusal(of, name, label);
  return (
    <Labelled id={id} label={label} hint={hint} refusal={refusal}>
      <textarea
        id={id}
        name={name}
        {...describedBy(id, hint, refusal)}
        // Browsers drop a line feed right after the tag, so one is added.
        value={`\n${typed ?? value ?? ""}`}
        {...rest}
      />
    </Labelled>
  );
}
