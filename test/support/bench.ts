/** Measures, and prints each figure when it has it. The file's name comes before the figure's. */
export type Bench = (print: (name: string, value: number) => void) => Promise<void>;
