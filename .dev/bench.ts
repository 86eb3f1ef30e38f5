/** Runs the benches that are named, or all: `npm run bench -- decode`. Each prints its figures as `name: value` lines. */
import { glob } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Bench } from '../test/support/bench.ts';
import { root } from './command.ts';

const folder = join(root, 'test/bench');
const benches = new Map<string, string>();
for await (const file of glob('*.ts', { cwd: folder })) benches.set(basename(file, '.ts'), join(folder, file));

const names = process.argv.length > 2 ? process.argv.slice(2) : [...benches.keys()].toSorted();
for (const name of names) {
  const file = benches.get(name);
  if (file === undefined) throw new Error(`There is no bench "${name}". There are: ${[...benches.keys()].join(', ')}.`);
  const { bench } = (await import(file)) as { bench: Bench };
  let last = 'its start';
  try {
    await bench((figure, value) => {
      last = figure;
      console.log(`${name}.${figure}: ${Number(value.toFixed(2))}`);
    });
  } catch (thrown) {
    // The other benches still run.
    console.error(`${name} failed at the figure after ${last}:`, thrown);
    process.exitCode = 1;
  }
}
