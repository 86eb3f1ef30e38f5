import { l10n } from 'vscode';
import { ProjectError } from '../../base/errors.ts';
import { asCount, asRecord, type UnknownRecord } from '../../base/shape.ts';
import type { RowQueries } from '../../model/results/rowQueries.ts';
import type { Run } from '../../model/results/run.ts';
import {
  decodeAction,
  decodeRowsRequest,
  decodeRunId,
  partOf,
  type ResultAction,
  resultsMethods,
  type RowWindow,
} from '../../protocol/results.ts';
import type { Methods } from '../../protocol/rpc.ts';
import {
  copyFormats,
  decodeArrangement,
  decodeColumns,
  decodeFindStep,
  decodeRanges,
} from '../../protocol/rowQueries.ts';
import { chooseColumns } from './chooseColumns.ts';
import { copyRows } from './copyRows.ts';
import type { Result } from './result.ts';

interface Question {
  readonly result: Result;
  readonly queries: RowQueries;
  readonly asked: UnknownRecord;
}

/** What a page can ask of the result that it shows. */
export function resultCalls<R extends Result>(
  shown: () => R | undefined,
  act: (action: ResultAction, result: R) => unknown,
  comeBack?: () => unknown,
): Methods {
  const resultOf = (params: unknown): R => {
    const result = shown();
    if (result && decodeRunId(params) === result.id) return result;
    throw new ProjectError('misuse', 'no_such_result', l10n.t('This result is no longer there.'));
  };
  const question = (params: unknown): Question => {
    const result = resultOf(params);
    return { result, queries: result.run.queries, asked: asRecord(params) ?? {} };
  };
  /** A question about places, which mean other rows as soon as the rows stand in another order. */
  const questionOfPlaces = (params: unknown): Question => {
    const asking = question(params);
    if (asCount(asking.asked['order']) === asking.queries.orderVersion) return asking;
    const sentence = l10n.t('The rows stand in another order by now. Choose them again.');
    throw new ProjectError('misuse', 'stale_order', sentence);
  };
  return {
    [resultsMethods.rows]: params => {
      const { run } = resultOf(params);
      const { start, count } = wellFormed(decodeRowsRequest(params));
      return windowOf(run, start, count);
    },
    [resultsMethods.painted]: params => resultOf(params).run.controls?.reportFirstPaint?.(),
    [resultsMethods.cancel]: params => resultOf(params).run.controls?.cancel(),
    [resultsMethods.proceed]: params => resultOf(params).run.controls?.pause?.resume(),
    [resultsMethods.act]: params => act(wellFormed(decodeAction(params)), resultOf(params)),
    [resultsMethods.arrange]: (params, signal) => {
      const { queries, asked } = question(params);
      return queries.arrange(wellFormed(decodeArrangement(asked['arrangement'])), { signal });
    },
    [resultsMethods.find]: (params, signal) => {
      const { queries, asked } = questionOfPlaces(params);
      return queries.find(wellFormed(decodeFindStep(asked['step'])), { signal });
    },
    [resultsMethods.summarize]: (params, signal) => {
      const { queries, asked } = questionOfPlaces(params);
      return queries.summarize(wellFormed(decodeRanges(asked['ranges'])), { signal });
    },
    [resultsMethods.cell]: async params => {
      const { queries, asked } = questionOfPlaces(params);
      const most = wellFormed(asCount(asked['most']));
      return partOf(await queries.cell(wellFormed(asCount(asked['row'])), wellFormed(asCount(asked['column']))), most);
    },
    [resultsMethods.copy]: (params, signal) => {
      const { result, asked } = questionOfPlaces(params);
      const format = wellFormed(copyFormats.find(known => known === asked['format']));
      const ranges = wellFormed(decodeRanges(asked['ranges']));
      return copyRows({ result, format, ranges, headers: asked['headers'] === true, signal });
    },
    [resultsMethods.chooseColumns]: async params => {
      const asked = asRecord(params);
      const [columns, shownNow] = [decodeColumns(asked?.['columns']), decodeColumns(asked?.['shown'])];
      const choice = { columns: wellFormed(columns), shown: wellFormed(shownNow) };
      const chosen = await chooseColumns(resultOf(params).run, choice);
      await comeBack?.();
      return chosen;
    },
    [resultsMethods.export]: async params => {
      const { result, asked } = question(params);
      const { exportRows } = await import('./exportRows.ts');
      return exportRows(result, { columns: decodeColumns(asked['columns']), asked: comeBack });
    },
  };
}

function wellFormed<T>(decoded: T | undefined): T {
  if (decoded !== undefined) return decoded;
  throw new ProjectError('misuse', 'bad_request', 'The page asked for something that cannot be.');
}

/** Rows of the order that is in force when they are there: while they were read, they may have been put in another. */
export async function windowOf(run: Run, start: number, count: number): Promise<RowWindow> {
  const { queries } = run;
  for (;;) {
    const order = queries.orderVersion;
    const rows = await run.rows(start, count);
    if (queries.orderVersion !== order) continue;
    const repeated = run.repeatedIn?.(start, start + rows.length) ?? [];
    return { order, start, rows, ...(repeated.length > 0 && { repeated }) };
  }
}
