import { l10n } from 'vscode';
import { ProjectError } from '../../base/errors.ts';
import { queriesOf } from '../../model/results/queriesOf.ts';
import type { RowsRun } from '../../model/results/rowsRun.ts';
import { decodeRowsRequest, decodeRunId, resultsMethods, type RowWindow } from '../../protocol/results.ts';
import type { Methods } from '../../protocol/rpc.ts';
import type { Result } from './result.ts';

/** What a page can ask of the result that it shows. */
export function resultCalls(shown: () => Result | undefined): Methods {
  const resultOf = (params: unknown): Result => {
    const result = shown();
    if (!result || decodeRunId(params) !== result.id) {
      throw new ProjectError('misuse', 'no_such_result', l10n.t('This result is no longer there.'));
    }
    return result;
  };
  return {
    [resultsMethods.rows]: async params => {
      const { run } = resultOf(params);
      const request = decodeRowsRequest(params);
      if (!request) throw new ProjectError('misuse', 'bad_request', 'These are no rows to ask for.');
      return windowOf(run, request.start, request.count);
    },
    [resultsMethods.cancel]: params => resultOf(params).run.cancel(),
  };
}

/** Rows of the order that is in force when they are there: while they were read, they may have been put in another. */
export async function windowOf(run: RowsRun, start: number, count: number): Promise<RowWindow> {
  const queries = queriesOf(run);
  for (;;) {
    const order = queries?.order ?? 0;
    const rows = await run.rows(start, count);
    if ((queries?.order ?? 0) === order) return { order, start, rows };
  }
}
