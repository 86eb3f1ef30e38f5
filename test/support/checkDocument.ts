import type { ShadowReport } from '../../src/sql/shadow/shadowReport.ts';
import type { ShadowSchema } from '../../src/sql/shadow/shadowSchema.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';

export interface CheckedStatement {
  readonly start: number;
  readonly report: ShadowReport;
}

/** The reports on all statements of a document. DDL takes effect for the statements after it. */
export async function checkDocument(shadow: ShadowSchema, text: string, detailed = false): Promise<CheckedStatement[]> {
  const checked: CheckedStatement[] = [];
  let { state } = shadow;
  for (const { start, end } of splitStatements(text)) {
    const statement = text.slice(start, end);
    const report =
      shadow.checkIn(state, statement, detailed) ?? (await shadow.checkInNewEngine(state, statement, detailed));
    if (report.outcome === 'prepared') state = shadow.stateAfter(state, statement);
    checked.push({ start, report });
  }
  return checked;
}
