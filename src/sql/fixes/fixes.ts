import { aggregateFixes } from './aggregateFixes.ts';
import { extractions } from './commonTableExtraction.ts';
import { type Finding, type Fix, FixContext, type FixRequest } from './fix.ts';
import { foreignFunctionFixes } from './foreignFunctions.ts';
import { columnCountFixes, insertColumnsRewrites } from './insertFixes.ts';
import { lintFixes } from './lintFixes.ts';
import { qualificationFixes, spellingFixes, stringFixes } from './nameFixes.ts';
import { expansionRewrites } from './starExpansion.ts';
import { syntaxFixes } from './syntaxFixes.ts';

/** A longer statement is data rather than code. */
const maxLength = 64 * 1024;

/** Nobody reads a longer menu. */
const maxFixes = 20;

/** The fixes for the findings of a statement, and its rewrites at the selection. */
export function fixesFor(request: FixRequest): Fix[] {
  const { text, parsed, findings, selection, schema } = request;
  if (text.length > maxLength) return [];
  if (parsed.fault || !parsed.ast)
    return findings.flatMap(finding => syntaxFixes(text, finding, schema)).slice(0, maxFixes);
  const context = new FixContext(request, parsed.ast);
  const fixes = [
    ...findings.flatMap(finding => findingFixes(finding, context)),
    ...expansionRewrites(selection, context),
    ...insertColumnsRewrites(selection, context),
    ...extractions(selection, context),
  ];
  return fixes.slice(0, maxFixes).map(fix => withSpaces(fix, text));
}

/** Keeps new words apart from those beside them, as in `SELECT*FROM`. */
function withSpaces(fix: Fix, text: string): Fix {
  const edits = fix.edits.map(({ start, end, text: newText }) => {
    const before = isWord(text.charAt(start - 1)) && isWord(newText.charAt(0)) ? ' ' : '';
    const after = isWord(text.charAt(end)) && isWord(newText.at(-1) ?? '') ? ' ' : '';
    return { start, end, text: before + newText + after };
  });
  return { ...fix, edits };
}

const isWord = (character: string): boolean => /[\w$\u0080-\uffff]/.test(character);

function findingFixes(finding: Finding, context: FixContext): Fix[] {
  switch (finding.code) {
    case 'unknown_column':
      return columnFixes(finding, context);
    case 'unknown_function':
      return functionFixes(finding, context);
    case 'unknown_table':
    case 'unknown_name':
      return spellingFixes(finding, context);
    case 'ambiguous_column':
      return qualificationFixes(finding, context);
    case 'misused_aggregate':
      return aggregateFixes(finding, context);
    case 'wrong_value_count':
      return columnCountFixes(finding, context);
    default:
      return lintFixes(finding, context);
  }
}

function functionFixes(finding: Finding, context: FixContext): Fix[] {
  const foreign = foreignFunctionFixes(finding, context);
  return foreign.length > 0 ? foreign : spellingFixes(finding, context);
}

function columnFixes(finding: Finding, context: FixContext): Fix[] {
  const spellings = spellingFixes(finding, context);
  const strings = stringFixes(finding, context, spellings.length === 0);
  return [...spellings, ...strings];
}
