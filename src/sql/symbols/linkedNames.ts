import { type NameInDocument, type NamedDocument, sameNames, textOf } from './documentNames.ts';

/** The alias at a name and its uses, if all are written alike and without quotes. */
export function linkedNames(document: NamedDocument, name: NameInDocument): readonly NameInDocument[] {
  if (name.occurrence.symbols[0]?.kind !== 'alias') return [];
  const names = Array.from(sameNames(document, name)).flat();
  const texts = new Set(names.map(same => textOf(document, same)));
  const [text = ''] = texts;
  return texts.size === 1 && /^[\w$\u0080-\uffff]+$/.test(text) ? names : [];
}
