import { Choice } from "../../parts/form.tsx";

interface CompareTwoProps {
  readonly to: string;
  /** Newest first. */
  readonly options: readonly (readonly [id: string, words: string])[];
  readonly base?: string;
}

export function CompareTwo({ to, options, base }: CompareTwoProps) {
  const [first, second] = options;
  if (!first || !second)
    return <p class="quiet">A comparison needs two; there is {first ? "one" : "none"} so far.</p>;
  const earlier = options.find(([id]) => id === base)?.[0] ?? second[0];
  const other = options.find(([id]) => id !== earlier)?.[0] ?? first[0];
  return (
    <form method="get" action={to} class="form">
      <Choice name="base" label="One" options={options} value={earlier} />
      <Choice name="other" label="The other" options={options} value={other} />
      <button type="submit">Compare</button>
      <p class="hint">The older one is the base, in whatever order you choose them.</p>
    </form>
  );
}
