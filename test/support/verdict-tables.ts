import {
  beforeAfterRates,
  falseAlarmRate,
  foundRates,
  verdictRates,
  type Found,
  type SideRates,
} from "./verdict-rates.ts";

/** Coefficients of variation of runs without any change: what the columns of the tables stand for. */
export const noiseLevels = [0.02, 0.03, 0.05, 0.08] as const;

/** A row of a table: a rate for each noise level, from as many trials. */
export interface RateRow {
  readonly label: string;
  readonly rates: (trials: number) => number[];
  /** What a trial costs beside those of the cheapest row. */
  readonly cost: number;
}

const conclusive = ({ improved, degraded }: SideRates): number => improved + degraded;
const sessions = { drift: 0.01, slow: 0.03 };
const badSessions = { drift: 0.02, slow: 0.05 };

const sides = (
  label: string,
  factor: number,
  pick: (rates: SideRates) => number,
  noise: { drift?: number; slow?: number } = {},
): RateRow => ({
  label,
  cost: 1,
  rates: (trials) => noiseLevels.map((cv) => pick(beforeAfterRates({ cv, ...noise }, factor, trials))),
});

/** Three runs before and three after. */
export const beforeAfterTable: readonly RateRow[] = [
  sides("nothing changed: a change is said", 1, conclusive),
  sides("the same, sessions drift by 1 %, 3 % of runs are slow", 1, conclusive, sessions),
  sides("the same, sessions drift by 2 %, 5 % of runs are slow", 1, conclusive, badSessions),
  sides("10 % faster: found", 1.1, ({ improved }) => improved),
  sides("15 % faster: found", 1.15, ({ improved }) => improved),
  sides("20 % faster: found", 1.2, ({ improved }) => improved),
  sides("10 % slower: found", 0.9, ({ degraded }) => degraded),
  sides("10 % faster: the wrong direction is said", 1.1, ({ degraded }) => degraded),
  sides("nothing changed: no change is said", 1, (rates) => rates.no_material_change),
  sides("5 % faster: no change is said", 1.05, (rates) => rates.no_material_change),
  sides("10 % faster: no change is said", 1.1, (rates) => rates.no_material_change),
];

/** A false alarm is looked for after each of many points. */
const alarmCost = 5;

const uneven = { correlation: 0.3, slow: 0.03 };

const alarms = (
  label: string,
  points: number,
  cost: number,
  noise: typeof uneven | object = {},
): RateRow => ({
  label,
  cost,
  rates: (trials) => noiseLevels.map((cv) => falseAlarmRate({ cv, ...noise }, points, trials)),
});

/** What was found after five and after ten points comes out of the same trials. */
function found(drop: string, points: number, factor: number, cost: number): RateRow[] {
  let last: { trials: number; rates: Found[] } | null = null;
  const rates = (trials: number): Found[] => {
    if (last?.trials !== trials)
      last = { trials, rates: noiseLevels.map((cv) => foundRates({ cv }, points, factor, trials)) };
    return last.rates;
  };
  return [
    {
      label: `${drop}, found after 5 points`,
      cost,
      rates: (trials) => rates(trials).map(({ after5 }) => after5),
    },
    {
      label: `${drop}, found after 10 points`,
      cost,
      rates: (trials) => rates(trials).map(({ after10 }) => after10),
    },
  ];
}

function ofSchedule(name: string, points: number, cost: number): RateRow[] {
  return [
    alarms(`${name}: nothing changed, a regression is said within 90 days`, points, cost * alarmCost),
    alarms(
      `${name}: the same, noise correlates by 0.3, 3 % of points are slow`,
      points,
      cost * alarmCost,
      uneven,
    ),
    ...([0.9, 0.85, 0.8] as const).flatMap((factor) =>
      found(`${name}: ${Math.round((1 - factor) * 100)} % slower`, points, factor, cost),
    ),
    {
      label: `${name}: nothing changed, stable is said when asked`,
      cost: Math.ceil(cost / 8),
      rates: (trials) => noiseLevels.map((cv) => verdictRates({ cv }, points, trials).stable),
    },
    {
      label: `${name}: 10 % slower for 10 points, stable is said when asked`,
      cost: Math.ceil(cost / 8),
      rates: (trials) => noiseLevels.map((cv) => verdictRates({ cv }, points + 10, trials, 10, 0.9).stable),
    },
  ];
}

/** One point a day, every three and a half days, and a week. */
export const regressionTable: readonly RateRow[] = [
  ...ofSchedule("daily", 90, 600),
  ...ofSchedule("twice a week", 26, 150),
  ...ofSchedule("weekly", 13, 40),
];

/** Rates in percent with one decimal, as the guide has them. */
export const percents = (rates: readonly number[]): string[] => rates.map((rate) => (rate * 100).toFixed(1));

/** A row as the guide writes it. */
export const rateLine = (label: string, rates: readonly number[]): string =>
  `| ${label} | ${percents(rates).join(" | ")} |`;
