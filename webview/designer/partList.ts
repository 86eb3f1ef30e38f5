import { t } from '@vscode/l10n';
import type { IndexPart } from '../../src/protocol/tableDesign.ts';
import { element } from '../ui/element.ts';
import { createIconButton } from '../ui/iconButton.ts';
import type { DraftEditor } from './draftEditor.ts';
import { withElement, withMovedElement } from './edits.ts';
import { type Choice, ChoiceField, TextField } from '../ui/field.ts';

interface PartListOptions<P extends IndexPart> {
  readonly draft: DraftEditor;
  /** The place of the list, such as `indexes/index1/parts`. */
  readonly place: string;
  /** The name of the key or index for screen readers. */
  readonly label: () => string;
  readonly onChange: (list: readonly P[]) => void;
  /** Whether each part is ascending or descending, as in an index. */
  readonly isOrdered?: boolean;
  readonly takesExpressions?: boolean;
}

const expressionChoice = '(expression)';

/** The columns of a key or index, in their order. The last field adds a column. */
export class PartList<P extends IndexPart> {
  readonly root = element('div', 'parts');
  readonly #options: PartListOptions<P>;
  readonly #lines: PartLine[] = [];
  readonly #add: ChoiceField;
  #list: readonly P[] = [];

  constructor(options: PartListOptions<P>) {
    this.#options = options;
    this.#add = new ChoiceField({
      place: options.place,
      name: () => `${t('Add Key Column…')} ${options.label()}`,
      onChange: value => this.#append(value),
    });
    this.root.append(this.#add.root);
  }

  update(list: readonly P[]): void {
    const { draft, takesExpressions = false } = this.#options;
    this.#list = list;
    while (this.#lines.length > list.length) this.#lines.pop()!.root.remove();
    while (this.#lines.length < list.length) {
      const line = new PartLine(this.#lines.length, this.#lineOptions());
      this.#lines.push(line);
      this.#add.root.before(line.root);
    }
    const choices = draft.columnChoices();
    list.forEach((part, index) => this.#lines[index]!.update(part, choices));
    const used = new Set(list.map(part => ('column' in part ? part.column : undefined)));
    const unused = choices.filter(({ value }) => !used.has(value));
    const expression = takesExpressions ? [{ value: expressionChoice, label: t('Expression…') }] : [];
    this.#add.show([{ value: '', label: t('Add Key Column…') }, ...unused, ...expression], '');
  }

  #lineOptions(): PartLineOptions {
    const { place, label, isOrdered = false, onChange } = this.#options;
    const change = (list: readonly IndexPart[]): void => onChange(list as readonly P[]);
    return {
      place,
      label,
      isOrdered,
      replace: (index, edit) => change(withElement<IndexPart>(this.#list, index, edit)),
      remove: index => {
        change(this.#list.toSpliced(index, 1));
        this.#add.control.focus();
      },
      moveUp: index => {
        change(withMovedElement(this.#list, index, -1));
        this.#lines[index - 1]?.focus();
      },
    };
  }

  #append(value: string): void {
    if (value === '') return;
    const part: IndexPart = value === expressionChoice ? { expression: '' } : { column: value };
    this.#options.onChange([...this.#list, part] as readonly IndexPart[] as readonly P[]);
    if (value === expressionChoice) this.#lines.at(-1)?.focus();
    else this.#add.control.focus();
  }
}

interface PartLineOptions {
  readonly place: string;
  readonly label: () => string;
  readonly isOrdered: boolean;
  readonly replace: (index: number, edit: (part: IndexPart) => IndexPart) => void;
  readonly remove: (index: number) => void;
  readonly moveUp: (index: number) => void;
}

class PartLine {
  readonly root = element('div', 'part');
  readonly #column: ChoiceField;
  readonly #expression: TextField;
  readonly #order: ChoiceField;
  readonly #up: HTMLButtonElement;
  readonly #remove: HTMLButtonElement;
  #partName = '';

  constructor(index: number, options: PartLineOptions) {
    const { place, label, isOrdered, replace } = options;
    this.#column = new ChoiceField({
      place: `${place}/${index}`,
      name: () => `${t('Column of')} ${label()}`,
      onChange: column => replace(index, part => ('column' in part ? { ...part, column } : part)),
    });
    this.#expression = new TextField({
      place: `${place}/${index}`,
      name: () => `${t('Expression')} ${label()}`,
      isCode: true,
      placeholder: t('Expression'),
      onInput: expression => replace(index, part => ('column' in part ? part : { ...part, expression })),
    });
    this.#order = new ChoiceField({
      place: `${place}/${index}/order`,
      name: () => t('{0} of {1}', t('Order'), this.#partName),
      onChange: order => replace(index, part => ({ ...part, descending: order === '' ? undefined : true })),
    });
    this.#order.root.hidden = !isOrdered;
    this.#up = createIconButton({ label: t('Move Up'), sign: '↑', onClick: () => options.moveUp(index) });
    this.#up.hidden = index === 0;
    this.#remove = createIconButton({ label: t('Remove'), sign: '✕', onClick: () => options.remove(index) });
    this.root.append(this.#column.root, this.#expression.root, this.#order.root, this.#up, this.#remove);
  }

  update(part: IndexPart, columns: readonly Choice[]): void {
    const isColumn = 'column' in part;
    this.#column.root.hidden = !isColumn;
    this.#expression.root.hidden = isColumn;
    if (isColumn) this.#column.show(columns, part.column);
    else this.#expression.value = part.expression;
    const name = isColumn ? (columns.find(({ value }) => value === part.column)?.label ?? '') : part.expression;
    this.#partName = name;
    this.#up.setAttribute('aria-label', t('{0} of {1}', t('Move Up'), name));
    this.#remove.setAttribute('aria-label', t('{0} of {1}', t('Remove'), name));
    const orders = [
      { value: '', label: t('Ascending') },
      { value: 'descending', label: t('Descending') },
    ];
    this.#order.show(orders, part.descending === true ? 'descending' : '');
  }

  focus(): void {
    const { root, control } = this.#column.root.hidden ? this.#expression : this.#column;
    if (!root.hidden) control.focus();
  }
}
