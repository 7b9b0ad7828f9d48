/** Replicates of median + mean of 1, 2, 2, 3, 5, 8, 13, drawn once, so that every interval is made of the same ones. */
export const REPLICATES = [
  8.571, 6.0, 10.0, 7.571, 11.571, 5.857, 6.571, 15.143, 8.571, 9.714, 8.286, 7.143, 8.143, 10.571, 6.857,
  7.571, 7.571, 9.429, 8.429, 6.714, 7.429, 7.571, 6.857, 8.0, 8.714,
];
