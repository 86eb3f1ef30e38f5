import { t } from '@vscode/l10n';
import type { FilterWords } from './filterText.ts';

/** The words of filters in the user's language. */
export function filterWords(): FilterWords {
  return {
    operators: {
      equals: '=',
      notEquals: '≠',
      less: '<',
      lessOrEqual: '≤',
      greater: '>',
      greaterOrEqual: '≥',
      between: t('between'),
      notBetween: t('not between'),
      contains: t('contains'),
      notContains: t('does not contain'),
      startsWith: t('starts with'),
      notStartsWith: t('does not start with'),
      endsWith: t('ends with'),
      notEndsWith: t('does not end with'),
      in: t('in'),
      notIn: t('not in'),
      null: t('is NULL'),
      notNull: t('is not NULL'),
    },
    and: t('and'),
  };
}
