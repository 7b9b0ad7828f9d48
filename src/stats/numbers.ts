/** What the functions of this folder take as a sample. */
export type Numbers = readonly number[] | Float64Array;
