/** A confidence interval: the values that the data do not contradict. `low` is never above `high`. */
export type Interval = { readonly low: number; readonly high: number };
