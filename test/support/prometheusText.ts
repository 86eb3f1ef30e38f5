import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

/** One value of a metric. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const headLine = /^# (HELP|TYPE) ([a-z_]+) (.+)$/;
const sampleLine = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/;
const labelPair = /([a-z_]+)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

/** The metrics of a text in the format of Prometheus. A text in another format fails the test. */
export class PrometheusText {
  readonly samples: readonly Sample[];
  readonly types: ReadonlyMap<string, string>;

  constructor(text: string) {
    assert.ok(text.endsWith('\n'), 'the last line ends');
    const types = new Map<string, string>();
    const helps = new Set<string>();
    const samples: Sample[] = [];
    for (const line of text.split('\n').slice(0, -1)) {
      const [, kind, name = '', rest = ''] = headLine.exec(line) ?? [];
      if (kind === 'HELP') {
        assert.ok(!helps.has(name), `${name} is described once`);
        helps.add(name);
      } else if (kind === 'TYPE') {
        assert.ok(['counter', 'gauge', 'histogram'].includes(rest), line);
        types.set(name, rest);
      } else {
        const sample = parseSample(line);
        const family = sample.name.replace(/_(?:bucket|sum|count)$/, base => (types.has(sample.name) ? base : ''));
        assert.equal([...types.keys()].at(-1), family, `${line} follows the head of its metric`);
        samples.push(sample);
      }
    }
    const identities = samples.map(({ name, labels }) => JSON.stringify([name, labels]));
    assert.equal(new Set(identities).size, identities.length, 'no value comes twice');
    assert.deepEqual([...helps], [...types.keys()]);
    for (const [name, type] of types) if (type === 'histogram') checkHistogram(name, samples);
    this.samples = samples;
    this.types = types;
  }

  /** The value with exactly these labels. A counter that has not counted has none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const found = this.samples.find(sample => sample.name === name && isDeepStrictEqual(sample.labels, labels));
    return found?.value ?? 0;
  }
}

function parseSample(line: string): Sample {
  const [, name = '', pairs = '', number = ''] = sampleLine.exec(line) ?? assert.fail(`not a metric: ${line}`);
  const labels: Record<string, string> = {};
  labelPair.lastIndex = 0;
  while (labelPair.lastIndex < pairs.length) {
    const [, label = '', value = ''] = labelPair.exec(pairs) ?? assert.fail(`not a label: ${line}`);
    labels[label] = value;
  }
  const value = Number(number);
  assert.ok(Number.isFinite(value), line);
  return { name, labels, value };
}

/** The buckets of each series grow, and the last one holds all values. */
function checkHistogram(name: string, samples: readonly Sample[]): void {
  const counts = samples.filter(sample => sample.name === `${name}_count`);
  for (const { labels, value } of counts) {
    const buckets = samples.filter(
      sample =>
        sample.name === `${name}_bucket` &&
        Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
    );
    const bounds = buckets.map(({ labels: { le = '' } }) => (le === '+Inf' ? Infinity : Number(le)));
    assert.deepEqual(
      bounds,
      bounds.toSorted((one, other) => one - other),
    );
    assert.equal(bounds.at(-1), Infinity);
    const values = buckets.map(bucket => bucket.value);
    assert.deepEqual(
      values,
      values.toSorted((one, other) => one - other),
    );
    assert.equal(values.at(-1), value);
  }
}
