import { useSurroundings } from "../frame.tsx";

interface TextAreaProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string | null;
  readonly rows?: number;
  readonly maxLength?: number;
  /** The action whose refusal brings back what was typed. */
  readonly of: string;
}

/** A labelled text of several lines; after a refusal it holds what was typed. */
export function TextArea({ name, label, hint, value, of, ...rest }: TextAreaProps) {
  const { problem } = useSurroundings();
  const typed = problem?.action === of ? problem.form.get(name) : null;
  const id = `${of}-${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <textarea
        id={id}
        name={name}
        aria-describedby={hint ? `${id}-hint` : undefined}
        // A line feed right after the tag is not part of the text; this one is there to be lost.
        value={`\n${typed ?? value ?? ""}`}
        {...rest}
      />
    </div>
  );
}
