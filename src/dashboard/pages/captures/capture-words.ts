/** Codes of profiles and memory reports. An unknown code is shown as it is. */
const words: Readonly<Record<string, string>> = {
  "few-samples": "Fewer than 200 tick samples: every share here is rough.",
  "stacks-cut": "Samples ended where a stack was cut, so their owner is not known.",
  "plugin-share": "This plugin's own share is above 20 %.",
  "waiting-share": "The tick waits in 15 % of its samples or more.",
  "category-share": "This kind of work takes 30 % or more.",
  "no-tick-samples": "One of the two has no tick samples, so nothing is compared.",
  "trigger-differs": "The two had different triggers, so they show different moments.",
  "server-type-differs": "The two are of different server software.",
  "window-differs": "One window is at least twice as long as the other.",
  "lag-kind-differs": "Both show lag, but of different kinds.",
  "server-version-differs": "The server versions differ.",
  "java-version-differs": "The Java versions differ.",
  "service-version-differs": "Different versions of the plugin took the two.",
  "owners-incomplete":
    "A list of owners is shortened, or samples were lost; an owner outside it has an unknown share.",
  "reading-differs":
    "One summary is of before machine code and waits counted to their callers, so its shares of owners differ.",
  "same-report": "Both are the same report. Choose another one.",
  "document-missing": "The upload of one of the two can no longer be read, so only totals are compared.",
  "kind-differs": "One is a class histogram, the other an analysis of a dump.",
  "measure-differs": "One has retained bytes, the other has shallow bytes.",
  "targeted-owner-differs": "The two are about different plugins.",
  "same-dump": "Both analyse the same dump.",
  "scope-differs": "One counts live objects only, the other counts garbage too.",
  "mode-differs": "The two were analysed to different depths.",
  "heap-max-differs": "The heap limits differ.",
  "denominator-missing": "One does not report the size of its heap, so shares are not compared.",
  "plugins-differ": "The lists of plugins are not the same.",
  "fallback-ran": "A quick analysis ran instead of the requested one.",
};

export const inWords = (code: string): string => words[code] ?? code;

/** `tick-loop` becomes "tick loop". */
export const spaced = (code: string): string => code.replaceAll(/[-_]/g, " ");
