/** The element that has the focus, or had it before another part of VS Code took it. */
let lastFocused: HTMLElement | undefined;

/** Restores the focus when the page is focused again. The browser forgets the focused element after a dialog of VS Code. */
export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) lastFocused = target;
  });
  window.addEventListener('focus', () => {
    if (document.activeElement === document.body) lastFocused?.focus({ preventScroll: true });
  });
}

/** The element that has the focus, or gets it when the page is focused again. */
export function focusedElement(): HTMLElement | undefined {
  const { activeElement, body } = document;
  return activeElement instanceof HTMLElement && activeElement !== body ? activeElement : lastFocused;
}

/** Focuses an element. If another part of VS Code has the focus, the element waits until the page is focused again. */
export function focusHere(element: HTMLElement): void {
  lastFocused = element;
  if (document.hasFocus()) return element.focus();
  const onFocus = (): void => {
    if (element.isConnected && document.activeElement === document.body) element.focus();
  };
  window.addEventListener('focus', onFocus, { once: true });
}
