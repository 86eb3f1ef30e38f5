import { extractions } from './commonTableExtraction.ts';
import { type Finding, type Fix, FixContext, type FixRequest } from './fix.ts';
import { insertColumnsRewrites } from './insertColumns.ts';
import { lintFixes } from './lintFixes.ts';
import { qualificationFixes, spellingFixes, stringFixes } from './nameFixes.ts';
import { expansionRewrites } from './starExpansion.ts';
import { syntaxFixes } from './syntaxFixes.ts';
import { columnCountFixes } from './valueFixes.ts';

/** A longer statement is data rather than code. */
const maxLength = 64 * 1024;

/** A menu with more is not read. */
const maxFixes = 20;

/** The fixes for the findings of a statement, and its rewrites at the selection. */
export function fixesFor(request: FixRequest): Fix[] {
  const { text, parsed, findings, selection } = request;
  if (text.length > maxLength) return [];
  if (parsed.fault || !parsed.ast) return findings.flatMap(finding => syntaxFixes(text, finding)).slice(0, maxFixes);
  const context = new FixContext(request, parsed.ast);
  return [
    ...findings.flatMap(finding => findingFixes(finding, context)),
    ...expansionRewrites(selection, context),
    ...insertColumnsRewrites(selection, context),
    ...extractions(selection, context),
  ].slice(0, maxFixes);
}

function findingFixes(finding: Finding, context: FixContext): Fix[] {
  switch (finding.code) {
    case 'unknown_column':
      return columnFixes(finding, context);
    case 'unknown_table':
    case 'unknown_function':
    case 'unknown_name':
      return spellingFixes(finding, context);
    case 'ambiguous_column':
      return qualificationFixes(finding, context);
    case 'wrong_value_count':
      return columnCountFixes(finding, context);
    default:
      return lintFixes(finding, context);
  }
}

function columnFixes(finding: Finding, context: FixContext): Fix[] {
  const spellings = spellingFixes(finding, context);
  const strings = stringFixes(finding, context, spellings.length === 0);
  return [...spellings, ...strings];
}
