import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VerticalScroll } from '../../../../webview/grid/rows/verticalScroll.ts';

const view = 480;

function scrollOf(rows: number): VerticalScroll {
  const scroll = new VerticalScroll(24);
  scroll.resize(rows, view);
  return scroll;
}

test('a short grid scrolls pixel by pixel', () => {
  const scroll = scrollOf(1000);
  assert.equal(scroll.physicalHeight, 24_000);
  scroll.scrolled(240);
  assert.deepEqual(scroll.visible(), [10, 30]);
});

for (const rows of [1_000_000, 10_000_000]) {
  test(`the scrollbar reaches the last of ${rows} rows and the first again`, () => {
    const scroll = scrollOf(rows);
    assert.ok(scroll.physicalHeight < 33_554_432, 'browsers cap heights there');
    scroll.scrolled(scroll.physicalHeight - view);
    assert.equal(scroll.visible()[1], rows);
    scroll.scrolled(0);
    assert.equal(scroll.visible()[0], 0);
  });

  test(`a turn of the wheel moves ${rows} rows as far as a few rows`, () => {
    const scroll = scrollOf(rows);
    scroll.scrolled(5_000_000);
    const before = scroll.top;
    scroll.scrolled(5_000_120);
    assert.equal(scroll.top - before, 120);
  });

  test(`any of ${rows} rows can be revealed`, () => {
    const scroll = scrollOf(rows);
    for (const row of [0, 777_777, rows - 1, 5]) {
      scroll.scrolled(scroll.reveal(row));
      const [first, end] = scroll.visible();
      assert.ok(first <= row && row < end, `${row} is within ${first} and ${end}`);
    }
  });
}

test('fewer rows than fit need no scrollbar', () => {
  const scroll = scrollOf(3);
  assert.deepEqual(scroll.visible(), [0, 3]);
  assert.equal(scroll.physicalHeight, 72);
});

test('a row far out of view is painted just outside of it', () => {
  const scroll = scrollOf(10_000_000);
  assert.equal(scroll.offsetOf(0), 24);
  assert.equal(scroll.offsetOf(19), view);
  assert.equal(scroll.offsetOf(9_999_999), view + 24);
  scroll.scrolled(scroll.physicalHeight - view);
  assert.equal(scroll.offsetOf(9_999_999), view);
  assert.equal(scroll.offsetOf(0), -24);
});

test('the view returns to its place, even if a scrollbar pixel stands for many rows', () => {
  for (const rows of [1000, 10_000_000]) {
    const scroll = scrollOf(rows);
    scroll.scrolled(scroll.goTo(12_345));
    assert.equal(scroll.top, 12_345);
    assert.ok(scroll.goTo(Number.MAX_SAFE_INTEGER) <= scroll.physicalHeight - view, 'never beyond the end');
  }
});

test('rows that arrive while the scrollbar is at its end can be reached', () => {
  const scroll = scrollOf(1_000_000);
  scroll.scrolled(scroll.physicalHeight - view);
  const place = scroll.resize(1_500_000, view);
  assert.ok(place !== undefined && place < scroll.physicalHeight - view, 'there is room below');
  scroll.scrolled(place);
  assert.equal(scroll.visible()[1], 1_000_000, 'the view stays where it is');
  scroll.scrolled(place + 120);
  assert.ok(scroll.visible()[1] > 1_000_000);
  scroll.scrolled(scroll.physicalHeight - view);
  assert.equal(scroll.resize(1_500_000, view), undefined, 'at the last row there is nothing to make room for');
});

test('the last row is reached if the scrollbar ends part of a pixel early', () => {
  for (const rows of [1000, 10_000_000]) {
    const scroll = scrollOf(rows);
    scroll.scrolled(scroll.physicalHeight - view - 200);
    scroll.scrolled(scroll.physicalHeight - view - 0.4);
    assert.equal(scroll.top, rows * 24 - view);
  }
});

test('a lower view stays at the last row, or at its place elsewhere', () => {
  for (const rows of [1000, 10_000_000]) {
    const scroll = scrollOf(rows);
    scroll.scrolled(scroll.physicalHeight - view);
    scroll.scrolled(scroll.resize(rows, view - 50)!);
    assert.equal(scroll.top, rows * 24 - (view - 50));
    scroll.scrolled(scroll.goTo(12_000));
    assert.equal(scroll.resize(rows, view), undefined);
    assert.equal(scroll.top, 12_000);
  }
});

test('after most rows were filtered out, scrolling continues from the place of the view', () => {
  const scroll = scrollOf(10_000_000);
  scroll.scrolled(96_000);
  const before = scroll.top;
  const scrollbar = scroll.resize(400_000, view)!;
  scroll.scrolled(scrollbar);
  assert.equal(scroll.top, before);
  scroll.scrolled(scrollbar + 100);
  assert.equal(scroll.top, before + 100);
});

for (const pixelRatio of [1, 1.25, 2.4, 3, 5]) {
  test(`no element exceeds the browser's limit at ${pixelRatio} screen pixels per pixel`, () => {
    const scroll = new VerticalScroll(24);
    scroll.resize(10_000_000, view, pixelRatio);
    assert.ok((scroll.physicalHeight + 24) * pixelRatio < 33_554_432);
    scroll.scrolled(scroll.physicalHeight - view);
    assert.equal(scroll.visible()[1], 10_000_000);
  });
}

test('zooming keeps the place, and the last row is still reached', () => {
  const scroll = scrollOf(1_000_000);
  scroll.scrolled(8_000_000);
  const before = scroll.top;
  scroll.scrolled(scroll.resize(1_000_000, view, 3)!);
  assert.equal(scroll.top, before);
  scroll.scrolled(scroll.physicalHeight - view);
  assert.equal(scroll.visible()[1], 1_000_000);
  scroll.scrolled(scroll.resize(1_000_000, view, 1)!);
  assert.equal(scroll.visible()[1], 1_000_000);
});

test('the last of ten million rows is reached if the scrollbar ends over a pixel early', () => {
  const scroll = scrollOf(10_000_000);
  scroll.scrolled(scroll.physicalHeight - view - 200);
  scroll.scrolled(scroll.physicalHeight - view - 1);
  assert.equal(scroll.visible()[1], 10_000_000);
});
