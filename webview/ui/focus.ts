/** The element that has the focus, or had it before another part of VS Code took it. */
let lastFocused: HTMLElement | undefined;

/**
 * Gives the focus back to its element when the page is focused again. The browser forgets the element once a dialog of VS
 * Code has taken the focus.
 */
export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) lastFocused = target;
  });
  window.addEventListener('focus', () => {
    if (document.activeElement === document.body) lastFocused?.focus({ preventScroll: true });
  });
}

/** The element that has the focus, or will have it when the page is focused again. */
export function focusedElement(): HTMLElement | undefined {
  const { activeElement, body } = document;
  return activeElement instanceof HTMLElement && activeElement !== body ? activeElement : lastFocused;
}

/**
 * Focuses an element, but never takes the focus from another part of VS Code: then the element waits until the page is
 * focused again.
 */
export function focusHere(element: HTMLElement): void {
  lastFocused = element;
  if (document.hasFocus()) {
    element.focus();
    return;
  }
  const onFocus = (): void => {
    if (element.isConnected && document.activeElement === document.body) element.focus();
  };
  window.addEventListener('focus', onFocus, { once: true });
}
