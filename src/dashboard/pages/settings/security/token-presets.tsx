import { scopes, type Scope } from "../../../../core/access/scope.ts";

/** A usual purpose of a token, with the scopes that suffice for it. */
export interface TokenPreset {
  /** The value of `preset` in the address. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

const reads = scopes.filter((scope) => scope.endsWith(":read"));

const presets: readonly TokenPreset[] = [
  { id: "assistant-reads", name: "Assistant, read only", scopes: reads },
  {
    id: "assistant-acts",
    name: "Assistant that also manages alerts",
    scopes: [...reads, "monitoring:write"],
  },
  { id: "check", name: "Health check of a script", scopes: ["servers:read", "monitoring:read"] },
  {
    id: "benchmarks",
    name: "Benchmarks of a pipeline",
    scopes: ["reports:read", "unit-tests:read", "auto-bench:read", "auto-bench:write"],
  },
];

export const presetIn = (query: URLSearchParams): TokenPreset | null =>
  presets.find(({ id }) => id === query.get("preset")) ?? null;

/** Links that fill the form of a new token. */
export const TokenPresets = ({ chosen }: { chosen: TokenPreset | null }) => (
  <nav aria-label="Usual tokens">
    <ul class="chips">
      {presets.map(({ id, name }) => (
        <li key={id}>
          <a
            href={`/settings/security?preset=${id}#new-token`}
            aria-current={id === chosen?.id ? "true" : undefined}
          >
            {name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
