/** The page may remove the opener this long after the dialog closes, when its data is read again. */
const FOCUS_WATCH_MS = 3_000

/** The parts of a page that have a heading. */
const PARTS = '[role="dialog"], section, article, aside, main'

/** Focuses the heading of the innermost part that is still on the page. */
function focusHeading(parts: readonly Element[]) {
  // The user may have moved on to another element already.
  if (document.activeElement !== document.body) return
  // A dialog that is still open keeps the focus, also if its button was disabled when the other one opened.
  const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1)
  const part = dialog ?? parts.find((item) => item.isConnected) ?? document
  const heading = part.querySelector<HTMLElement>('h1, h2, h3') ?? document.querySelector('h1')
  if (heading && heading.tabIndex < 0) heading.tabIndex = -1
  heading?.focus()
}

/** The parts around an element, the innermost first. */
export function partsAround(element: Element | null): Element[] {
  const part = element?.closest(PARTS)
  return part ? [part, ...partsAround(part.parentElement)] : []
}

/**
 * Focuses the element that opened a dialog. If the dialog removed it, the heading of its part of the page is
 * focused, so that the keyboard never starts again at the top of the document.
 */
export function restoreFocus(
  opener: Element | null,
  parts: readonly Element[] = partsAround(opener),
) {
  if (!(opener instanceof HTMLElement && opener.isConnected)) return focusHeading(parts)
  opener.focus()
  // A button that is disabled while its request runs does not take the focus.
  focusHeading(parts)
  const watch = new MutationObserver(() => {
    if (opener.isConnected) return
    watch.disconnect()
    focusHeading(parts)
  })
  watch.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watch.disconnect(), FOCUS_WATCH_MS)
}

/**
 * True if the focus is in the element, or nowhere because the focused button was disabled. An answer that arrives
 * later leaves the focus of a user who went on elsewhere.
 */
export function isFocusIn(element: Element | null): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || element?.contains(focused) === true
}
