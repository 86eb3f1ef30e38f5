/**
 * Has Ctrl+Z, Ctrl+Y and Ctrl+Shift+Z in a field undo what was typed there. VS Code listens at the window: it would undo an edit of
 * the document, and keep the browser from undoing the typing.
 */
export function keepTypedUndo(): void {
  document.addEventListener('keydown', event => {
    const { key, ctrlKey, metaKey } = event;
    // A field of the toolkit hides its input.
    const [target] = event.composedPath();
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isField && (ctrlKey || metaKey) && /^[zy]$/i.test(key)) event.stopPropagation();
  });
}
