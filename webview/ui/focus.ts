/** What has the focus of this page, or had it when another part of VS Code took it. */
let kept: HTMLElement | undefined;

/**
 * Gives the focus back to what had it whenever the page is focused again: a browser forgets that as soon as a dialog of VS
 * Code, or a question of its own, has taken the focus out of the page.
 */
export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) kept = target;
  });
  window.addEventListener('focus', () => {
    if (document.activeElement === document.body) kept?.focus({ preventScroll: true });
  });
}

/** What has the focus, or will have it once the page is focused again. */
export function focusedElement(): HTMLElement | undefined {
  const { activeElement, body } = document;
  return activeElement instanceof HTMLElement && activeElement !== body ? activeElement : kept;
}

/**
 * Focuses an element of this page, but never fetches the focus from another part of VS Code: while it is there, the
 * element has to wait until the page is focused again.
 */
export function focusHere(element: HTMLElement): void {
  kept = element;
  if (document.hasFocus()) {
    element.focus();
    return;
  }
  const returned = (): void => {
    if (element.isConnected && document.activeElement === document.body) element.focus();
  };
  window.addEventListener('focus', returned, { once: true });
}
