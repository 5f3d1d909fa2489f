import type { ComponentChildren, JSX } from "preact";
import { usePageContext } from "../frame.tsx";
import { fieldRefusal } from "../words/refusal.ts";

interface FormProps {
  /** The action of the page that the form runs. */
  readonly does: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** The form's own page if left out. */
  readonly to?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A form with a CSRF token that runs an action of its page. */
export function Form({ does, hidden = {}, to, class: className = "form", children }: FormProps) {
  const { csrfToken, formIdOf } = usePageContext();
  const formId = formIdOf(does);
  return (
    <form method="post" action={to} class={className}>
      <input type="hidden" name="_csrf" value={csrfToken} />
      <input type="hidden" name="do" value={does} />
      {formId !== null && <input type="hidden" name="form_id" value={formId} autoComplete="off" />}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Refused does={does} hidden={hidden} />
      {children}
    </form>
  );
}

/** The refusal of this form if no field shows it. */
function Refused({ does, hidden }: { does: string; hidden: Readonly<Record<string, string>> }) {
  const { problem, problemPlace, markProblemShown } = usePageContext();
  if (problem?.action !== does || problemPlace !== "form") return null;
  const sameRow = Object.entries(hidden).every(([name, value]) => problem.form.get(name) === value);
  if (!sameRow) return null;
  markProblemShown();
  return (
    <p class="notice bad" role="alert" tabIndex={-1} autofocus>
      {fieldRefusal(problem)}
    </p>
  );
}

/** Null if the field was not refused. A refused field is marked and gets the focus. */
export function useRefusal(of: string | undefined, name: string, label: string): string | null {
  const { problem, problemPlace, markProblemShown } = usePageContext();
  const isRefused =
    problemPlace === "field" && of !== undefined && problem?.action === of && problem.field === name;
  if (!isRefused) return null;
  markProblemShown();
  return fieldRefusal(problem, label);
}

interface LabelledProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly refusal?: string | null;
  readonly children: ComponentChildren;
}

export function Labelled({ id, label, hint, refusal = null, children }: LabelledProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {refusal !== null && (
        <p class="notice bad" role="alert" id={`${id}-refusal`}>
          {refusal}
        </p>
      )}
      {children}
    </div>
  );
}

/** Connects hint and refusal to the control for screen readers; a refused control gets the focus. */
export const describedBy = (id: string, hint: string | undefined, refusal: string | null = null) => {
  const ids = [...(hint ? [`${id}-hint`] : []), ...(refusal === null ? [] : [`${id}-refusal`])];
  return {
    ...(ids.length > 0 && { "aria-describedby": ids.join(" ") }),
    ...(refusal !== null && { "aria-invalid": true as const, autofocus: true }),
  };
};

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password" | "number" | "url" | "date" | "time" | "datetime-local";
  readonly hint?: string;
  readonly value?: string | number | null;
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number | "any";
  readonly maxLength?: number;
  readonly autoComplete?: string;
  /** The action whose refusal restores the typed text. */
  readonly of?: string;
  /** The text works only once, so it is not restored. */
  readonly once?: boolean;
}

/** After a refusal the input holds what was typed, but never a password or a code. */
export function FormField({
  name,
  label,
  type = "text",
  hint,
  value,
  of,
  once = false,
  ...rest
}: FieldProps) {
  const { problem } = usePageContext();
  const typed =
    of !== undefined && problem?.action === of && type !== "password" && !once
      ? problem.form.get(name)
      : null;
  const id = `${of ?? "field"}-${name}`;
  const refusal = useRefusal(of, name, label);
  // The library's types allow each input type only its own attributes; HTML ignores the others.
  const attributes = {
    id,
    name,
    type,
    value: typed ?? value ?? "",
    ...describedBy(id, hint, refusal),
    ...rest,
  };
  return (
    <Labelled id={id} label={label} hint={hint} refusal={refusal}>
      <input {...(attributes as JSX.IntrinsicElements["input"])} />
    </Labelled>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly value?: string | null;
  readonly hint?: string;
  readonly of?: string;
}

export function Choice({ name, label, options, value, hint, of }: ChoiceProps) {
  const { problem } = usePageContext();
  const chosen = (of !== undefined && problem?.action === of ? problem.form.get(name) : null) ?? value;
  const id = `${of ?? "field"}-${name}`;
  const refusal = useRefusal(of, name, label);
  return (
    <Labelled id={id} label={label} hint={hint} refusal={refusal}>
      <select id={id} name={name} {...describedBy(id, hint, refusal)}>
        {options.map(([option, words]) => (
          <option key={option} value={option} selected={option === chosen}>
            {words}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

interface CheckProps {
  readonly name: string;
  readonly label: ComponentChildren;
  readonly value?: string;
  readonly checked?: boolean;
  /** The action whose refusal restores the tick. */
  readonly of?: string;
}

/** After a refusal the box is ticked as it was sent. */
export function Check({ name, label, value = "on", checked = false, of }: CheckProps) {
  const { problem } = usePageContext();
  const sent = of !== undefined && problem?.action === of ? problem.form : null;
  const isTicked = sent === null ? checked : sent.getAll(name).includes(value);
  return (
    <label class="check">
      <input type="checkbox" name={name} value={value} checked={isTicked} />
      <span>{label}</span>
    </label>
  );
}

/** `danger`: the action cannot be undone. */
export function Button({ children, danger = false, plain = false }: ButtonProps) {
  return (
    <button type="submit" class={danger ? "danger" : plain ? "plain" : undefined}>
      {children}
    </button>
  );
}

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly danger?: boolean;
  readonly plain?: boolean;
}
