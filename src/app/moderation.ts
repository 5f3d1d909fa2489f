import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from "obscenity";

/** Rejects words of the library's English data set, leet spellings included. */
export function moderation(enabled: boolean): (text: string) => boolean {
  if (!enabled) return () => true;
  const matcher = new RegExpMatcher({ ...englishDataset.build(), ...englishRecommendedTransformers });
  return (text) => !matcher.hasMatch(text);
}
