import { isDeepStrictEqual } from 'node:util';
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Range,
  TextEdit,
} from 'vscode-languageserver/node';
import type { Finding, Fix } from '../sql/fixes/fix.ts';
import { keepsResult, fixesFor } from '../sql/fixes/fixes.ts';
import { isLintCode } from '../sql/lints/lint.ts';
import type { TextRange } from '../sql/text/textRange.ts';
import type { Feature } from './feature.ts';
import { lintRulesFor } from './lintRules.ts';
import type { SqlDocument } from './sqlDocument.ts';

const kinds: Readonly<Record<Fix['kind'], CodeActionKind>> = {
  quickfix: CodeActionKind.QuickFix,
  rewrite: CodeActionKind.RefactorRewrite,
  extract: CodeActionKind.RefactorExtract,
};

/** Quick fixes of the shown faults and lints, and rewrites at the selection. */
export const codeActions: Feature = {
  capabilities: { codeActionProvider: { codeActionKinds: Object.values(kinds) } },
  listen({ connection, documents, settings }) {
    connection.onCodeAction(async (params, token) => {
      const { textDocument, range, context } = params;
      const place = await documents.placeAt({ textDocument, position: range.start });
      if (!place || token.isCancellationRequested) return null;
      const { document } = place;
      const { version } = document;
      const selection = { start: place.offset, end: Math.max(place.offset, document.offsetAt(range.end)) };
      const rules = await lintRulesFor(settings, document.uri);
      const shown = (await document.findingsIn(selection)).filter(
        ({ code }) => !isLintCode(code) || rules[code] !== 'off',
      );
      const actions: CodeAction[] = [];
      for (const touched of touchedStatements(selection, shown, document)) {
        const fixes = await fixesOf(touched, selection, document);
        if (token.isCancellationRequested || document.version !== version) return null;
        for (const fix of fixes) {
          if (isWanted(kinds[fix.kind], context.only)) actions.push(actionOf(fix, touched.statement, document, params));
        }
      }
      return actions;
    });
  },
};

/** A longer selection shows the fixes of its first statements. */
const maxStatements = 3;

interface TouchedStatement {
  readonly number: number;
  readonly statement: TextRange;
  readonly findings: readonly Finding[];
}

/** The statements at a selection. Offsets are those of the document. */
function touchedStatements(
  selection: TextRange,
  findings: readonly Finding[],
  { statements }: SqlDocument,
): TouchedStatement[] {
  const touched: TouchedStatement[] = [];
  for (let number = statements.firstEndingAfter(selection.start - 1); touched.length < maxStatements; number++) {
    const statement = statements.at(number);
    if (!statement || statement.start > selection.end) break;
    const isOwn = ({ start, end }: Finding): boolean => statement.start <= start && end <= statement.end;
    touched.push({ number, statement, findings: findings.filter(isOwn) });
  }
  return touched;
}

async function fixesOf(
  { number, statement, findings }: TouchedStatement,
  selection: TextRange,
  document: SqlDocument,
): Promise<Fix[]> {
  const { start, end } = statement;
  const text = document.statements.slice(start, end);
  const parsed = document.parsed(number);
  const inStatement = <T extends TextRange>(range: T): T => ({
    ...range,
    start: range.start - start,
    end: range.end - start,
  });
  const candidates = fixesFor({
    text,
    parsed,
    schema: document.schemaBefore(number),
    findings: findings.map(inStatement),
    selection: inStatement(selection),
  });
  const fixes: Fix[] = [];
  for (const fix of candidates) {
    // A fix must not remove code of the program. An extraction copies its statement, and cannot copy code with it.
    const removed =
      fix.kind === 'extract'
        ? [statement]
        : fix.edits.map(edit => ({ start: edit.start + start, end: edit.end + start }));
    if (removed.some(range => document.hasCodeIn(range))) continue;
    const tree = parsed.ast;
    const reportOn = async (newText: string) => document.report(number, newText);
    if (!fix.keeps || (tree && (await keepsResult(fix, { text, tree }, reportOn)))) fixes.push(fix);
  }
  return fixes;
}

/** Whether the editor requests a kind of action. A kind such as `refactor` includes `refactor.extract`. */
const isWanted = (kind: CodeActionKind, only: readonly CodeActionKind[] | undefined): boolean =>
  only?.some(wanted => wanted === '' || kind === wanted || kind.startsWith(`${wanted}.`)) ?? true;

function actionOf(fix: Fix, statement: TextRange, document: SqlDocument, { context }: CodeActionParams): CodeAction {
  const { title, kind, edits, finding, isPreferred } = fix;
  const { start } = statement;
  const inDocument = (range: TextRange): Range =>
    document.rangeOf({ start: range.start + start, end: range.end + start });
  const textEdits = edits.map(edit =>
    TextEdit.replace(inDocument(edit), document.escape(edit.text, edit.start + start)),
  );
  const { uri, version } = document;
  const shownRange = finding && inDocument(finding);
  const diagnostics = context.diagnostics.filter(({ code, range }) => {
    return code === finding?.code && isDeepStrictEqual(range, shownRange);
  });
  return {
    title,
    kind: kinds[kind],
    edit: { documentChanges: [{ textDocument: { uri, version }, edits: textEdits }] },
    ...(diagnostics.length > 0 && { diagnostics }),
    ...(isPreferred && { isPreferred }),
  };
}
