import * as vscode from 'vscode';
import type { ParameterType } from '../../../model/parameters/parameterValue.ts';

export const typeIcons: Readonly<Record<ParameterType, string>> = {
  text: 'symbol-string',
  integer: 'symbol-number',
  real: 'symbol-ruler',
  boolean: 'symbol-boolean',
  null: 'circle-slash',
};

export function typeName(type: ParameterType): string {
  switch (type) {
    case 'text':
      return vscode.l10n.t('text');
    case 'integer':
      return vscode.l10n.t('integer');
    case 'real':
      return vscode.l10n.t('real');
    case 'boolean':
      return vscode.l10n.t('boolean');
    case 'null':
      return 'NULL';
  }
}

/** What to type instead, where a text is no value of its type. */
export function rightText(type: ParameterType): string {
  switch (type) {
    case 'text':
      return vscode.l10n.t('This text holds half of a character, which no service can store.');
    case 'integer':
      return vscode.l10n.t('An integer is digits with or without a sign, and has at most 64 bits.');
    case 'real':
      return vscode.l10n.t('A real number is written with a point and, if needed, an exponent, such as -1.5e3.');
    case 'boolean':
      return vscode.l10n.t('A boolean is true or false.');
    case 'null':
      return '';
  }
}
