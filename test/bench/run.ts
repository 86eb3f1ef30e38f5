/** Runs the benches that are named, or all: `npm run bench -- decode`. Each prints its figures as `name: value` lines. */
import { glob } from 'node:fs/promises';
import { basename } from 'node:path';

export type Bench = (print: (name: string, value: number) => void) => Promise<void>;

const known = new Map<string, string>();
for await (const file of glob('*.ts', { cwd: import.meta.dirname })) {
  if (file !== basename(import.meta.filename)) known.set(basename(file, '.ts'), file);
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : [...known.keys()].toSorted();
for (const name of wanted) {
  const file = known.get(name);
  if (!file) throw new Error(`There is no bench "${name}". There are: ${[...known.keys()].join(', ')}.`);
  const { bench } = (await import(`./${file}`)) as { bench: Bench };
  await bench((figure, value) => console.log(`${name}.${figure}: ${Number(value.toFixed(2))}`));
}
