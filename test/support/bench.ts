/** A bench reports each figure as soon as it is measured. The runner prints the file's name before it. */
export type Bench = (print: (name: string, value: number) => void) => Promise<void>;
