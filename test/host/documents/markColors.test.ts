import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { contrastOf } from '../../support/contrast.ts';

const folder = join(import.meta.dirname, '../../../media/marks');
/** The editors of Light 2026, Dark 2026 and both themes of high contrast. */
const backgrounds = ['#ffffff', '#121314', '#000000'];

for (const file of readdirSync(folder)) {
  test(`the mark ${file} has a contrast of 3:1 in every theme`, () => {
    const colors = new Set(readFileSync(join(folder, file), 'utf8').match(/#[\da-f]{6}/g));
    assert.ok(colors.size > 0);
    for (const color of colors) {
      for (const background of backgrounds) {
        assert.ok(contrast(color, background) >= 3, `${color} on ${background}: ${contrast(color, background)}`);
      }
    }
  });
}

function contrast(color: string, background: string): number {
  return contrastOf({ color: rgb(color), backgrounds: [rgb(background)] });
}

function rgb(color: string): string {
  const parts = [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16));
  return `rgb(${parts.join(', ')})`;
}
