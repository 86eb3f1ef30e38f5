/** Measures what the window remembers and compares. Each part has a file of its own in `memory/`. */
import type { Bench } from '../support/bench.ts';
import { benchCompare } from './memory/compare.ts';
import { history } from './memory/history.ts';
import { manyProjects } from './memory/manyProjects.ts';

const parts: readonly Bench[] = [history, manyProjects, benchCompare];

export const bench: Bench = async print => {
  for (const part of parts) await part(print);
};
