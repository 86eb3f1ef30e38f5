import { t } from '@vscode/l10n';
import type { IndexPart } from '../../src/protocol/tableDesign.ts';
import { element, resizeList } from '../ui/element.ts';
import { createIconButton } from '../ui/iconButton.ts';
import type { DraftEditor } from './draftEditor.ts';
import { withElement, withMovedElement } from './edits.ts';
import { ChoiceField, TextField } from '../ui/field.ts';

interface PartListOptions<P extends IndexPart> {
  readonly draft: DraftEditor;
  /** The place of the list, such as `indexes/index1/parts`. */
  readonly place: string;
  /** The name of the key or index for screen readers. */
  readonly label: () => string;
  readonly read: () => readonly P[];
  readonly onChange: (list: readonly P[]) => void;
  /** Whether each part is ascending or descending, as in an index. */
  readonly isOrdered?: boolean;
  readonly takesExpressions?: boolean;
}

interface PartLine {
  readonly root: HTMLElement;
  readonly update: () => void;
  readonly focus: () => void;
}

const expressionChoice = '(expression)';

/** The columns of a key or index, in their order. The last field adds a column. */
export class PartList<P extends IndexPart> {
  readonly root = element('div', 'parts');
  readonly #options: PartListOptions<P>;
  readonly #lines: PartLine[] = [];
  readonly #add: ChoiceField;

  constructor(options: PartListOptions<P>) {
    const { draft, place, label, read, takesExpressions = false } = options;
    this.#options = options;
    const expression = takesExpressions ? [{ value: expressionChoice, label: t('Expression…') }] : [];
    this.#add = new ChoiceField({
      place,
      name: () => `${t('Add Key Column…')} ${label()}`,
      choices: () => {
        const used = new Set(read().map(columnOf));
        const unused = draft.columnChoices().filter(({ value }) => !used.has(value));
        return [{ value: '', label: t('Add Key Column…') }, ...unused, ...expression];
      },
      read: () => '',
      onChange: value => this.#append(value),
    });
    this.root.append(this.#add.root);
  }

  /** The fields refresh themselves. */
  update(): void {
    resizeList(this.#lines, this.#options.read().length, index => this.#createLine(index));
    for (const line of this.#lines) line.update();
  }

  #change(list: readonly IndexPart[]): void {
    this.#options.onChange(list as readonly P[]);
  }

  #append(value: string): void {
    if (value === '') return;
    const part: IndexPart = value === expressionChoice ? { expression: '' } : { column: value };
    this.#change([...this.#options.read(), part]);
    if (value === expressionChoice) this.#lines.at(-1)?.focus();
    else this.#add.control.focus();
  }

  #createLine(index: number): PartLine {
    const { draft, place, label, read, isOrdered = false } = this.#options;
    const part = (): IndexPart => read()[index]!;
    const isColumn = (): boolean => 'column' in part();
    const edit = (change: (part: IndexPart) => IndexPart): void =>
      this.#change(withElement<IndexPart>(read(), index, change));
    const name = (): string =>
      draft.columnChoices().find(({ value }) => value === columnOf(part()))?.label ?? expressionOf(part());
    const column = new ChoiceField({
      place: `${place}/${index}`,
      name: () => `${t('Column of')} ${label()}`,
      isHidden: () => !isColumn(),
      choices: () => draft.columnChoices(),
      read: () => columnOf(part()) ?? '',
      onChange: id => edit(before => ('column' in before ? { ...before, column: id } : before)),
    });
    const expression = new TextField({
      place: `${place}/${index}`,
      name: () => `${t('Expression')} ${label()}`,
      isHidden: isColumn,
      isCode: true,
      placeholder: t('Expression'),
      read: () => expressionOf(part()),
      onInput: text => edit(before => ('column' in before ? before : { ...before, expression: text })),
    });
    const order = new ChoiceField({
      place: `${place}/${index}/order`,
      name: () => t('{0} of {1}', t('Order'), name()),
      isHidden: () => !isOrdered,
      choices: () => [
        { value: '', label: t('Ascending') },
        { value: 'descending', label: t('Descending') },
      ],
      read: () => (part().descending === true ? 'descending' : ''),
      onChange: chosen => edit(before => ({ ...before, descending: chosen === '' ? undefined : true })),
    });
    const moveUp = (): void => {
      this.#change(withMovedElement(read(), index, -1));
      this.#lines[index - 1]?.focus();
    };
    const remove = (): void => {
      this.#change(read().toSpliced(index, 1));
      this.#add.control.focus();
    };
    const upButton = createIconButton({ label: t('Move Up'), sign: '↑', onClick: moveUp });
    upButton.hidden = index === 0;
    const removeButton = createIconButton({ label: t('Remove'), sign: '✕', onClick: remove });
    const root = element('div', 'part', [column.root, expression.root, order.root, upButton, removeButton]);
    this.#add.root.before(root);
    return {
      root,
      update: () => {
        upButton.setAttribute('aria-label', t('{0} of {1}', t('Move Up'), name()));
        removeButton.setAttribute('aria-label', t('{0} of {1}', t('Remove'), name()));
      },
      focus: () => (isColumn() ? column : expression).control.focus(),
    };
  }
}

const columnOf = (part: IndexPart): string | undefined => ('column' in part ? part.column : undefined);

const expressionOf = (part: IndexPart): string => ('column' in part ? '' : part.expression);
