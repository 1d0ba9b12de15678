// Keeps the place of a person at the keyboard. A browser drops the focus when what has it goes away, such as the row of a deleted
// thing: then the nearest control gets it.

const CONTROLS = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]'

/** Begins to keep it, as long as the document lives. */
export function keepFocus(): void {
  let last: Element | undefined
  addEventListener('focusin', ({ target }) => {
    // A person with a pointer has no place to lose, and on a phone a field with the focus opens the keyboard.
    last = target instanceof Element && target.matches(':focus-visible, main') ? target : undefined
  })
  const observer = new MutationObserver((records) => {
    if (last === undefined || last.isConnected || document.activeElement !== document.body) return
    const place = placeOf(last, records)
    last = undefined
    if (place !== undefined) nearestTo(place)?.focus({ preventScroll: true })
  })
  observer.observe(document, { childList: true, subtree: true })
}

interface Place {
  /** The nearest element around it that is still there. */
  around: Element
  /** The node that followed there. */
  next: Node | null
}

/** Returns where the element was, or what went away with it. */
function placeOf(element: Element, records: readonly MutationRecord[]): Place | undefined {
  let gone: Node = element
  for (const { target, removedNodes, nextSibling } of records) {
    if (![...removedNodes].some((each) => each.contains(gone))) continue
    if (target.isConnected && target instanceof Element) return { around: target, next: nextSibling }
    gone = target
  }
  return undefined
}

/** Returns the next control in what is around the place, the one before it, or the like further out. Else it is the start of the screen. */
function nearestTo({ around, next }: Place): HTMLElement | null {
  const end = around.closest('main, dialog') ?? document.querySelector('main')
  for (let box: Element | null = around; box !== null && end?.contains(box) === true; box = box.parentElement) {
    const controls = controlsIn(box)
    const found = controls.find((each) => isBehind(each, { around, next })) ?? controls.at(-1)
    if (found !== undefined) return found
  }
  if (!(end instanceof HTMLElement)) return null
  return end.hasAttribute('tabindex') ? end : (controlsIn(end)[0] ?? null)
}

function controlsIn(box: Element): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>(CONTROLS)].filter((each) => each.checkVisibility())
}

function isBehind(control: Element, { around, next }: Place): boolean {
  const from = next?.isConnected === true ? next : undefined
  if (from?.contains(control) === true) return true
  const mark = from ?? around
  const isAfter = (mark.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  return isAfter && !(from === undefined && around.contains(control))
}
