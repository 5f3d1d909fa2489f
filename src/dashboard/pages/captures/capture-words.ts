/** Codes of profiles and reports on the heap, in words for people; an unknown code is shown as it is. */
const words: Readonly<Record<string, string>> = {
  "few-samples": "Fewer than 200 tick samples: every share here is rough.",
  "stacks-cut": "Samples ended where a stack was cut, so nobody knows whose they are.",
  "plugin-share": "This plugin's own share is above 20 %.",
  "waiting-share": "The tick waits for 15 % of its samples or more.",
  "category-share": "This kind of work takes 30 % or more.",
  "no-tick-samples": "One of them holds no tick samples, so nothing is compared.",
  "trigger-differs": "They were started by different things, so they picked different moments.",
  "server-type-differs": "They are of other server software.",
  "window-differs": "One window is at least twice as long as the other.",
  "lag-kind-differs": "Both lagged, but in another way.",
  "server-version-differs": "The server's version is another one.",
  "java-version-differs": "The Java version is another one.",
  "service-version-differs": "Another version of the plugin took them.",
  "owners-incomplete":
    "A list of owners is shortened, or samples were lost; an owner outside it has an unknown share.",
  "same-report": "Both are the same report.",
  "document-missing": "What was uploaded cannot be read any more for one of them; only totals are compared.",
  "kind-differs": "One is a class histogram, the other an analysis of a dump.",
  "measure-differs": "One tells retained bytes, the other shallow ones.",
  "targeted-owner-differs": "They are about different plugins.",
  "same-dump": "Both analyse the same dump.",
  "scope-differs": "One counts live objects, the other garbage too.",
  "mode-differs": "They were analysed in different depths.",
  "heap-max-differs": "The heap's limit is another one.",
  "denominator-missing": "One does not tell how large its heap is, so shares are not compared.",
  "plugins-differ": "The lists of plugins are not the same.",
  "fallback-ran": "A quick analysis stood in for the one that was asked for.",
};

export const inWords = (code: string): string => words[code] ?? code;

/** What a code such as `tick-loop` is called where there is no sentence for it. */
export const spaced = (code: string): string => code.replaceAll(/[-_]/g, " ");
