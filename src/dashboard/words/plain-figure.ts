/** For people, in English: from 100 on whole and grouped, such as 1,459,500; below, three figures. */
export function plainFigure(value: number): string {
  if (Math.abs(value) >= 99.95) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}
