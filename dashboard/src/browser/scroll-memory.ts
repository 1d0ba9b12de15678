// Remembers the scroll position of each entry in the browser's history. The browser's own memory fails here. When Back returns to a screen,
// its content is not loaded yet, so the document is too short to scroll.

const SAVE_DELAY_MS = 150
const MAX_RESTORE_MS = 5000

/** Events that show that a person wants to scroll elsewhere. */
const INTERRUPTIONS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

let saveTimer: ReturnType<typeof setTimeout> | undefined
let isRestoring = false

/** Begins to save positions, and to restore them on Back, Forward and reload. */
export function rememberScroll(): void {
  history.scrollRestoration = 'manual'
  addEventListener('scroll', () => {
    clearTimeout(saveTimer)
    if (!isRestoring) saveTimer = setTimeout(saveScroll, SAVE_DELAY_MS)
  })
  addEventListener('popstate', restore)
  restore()
}

/** Saves the position of the current entry. */
export function saveScroll(): void {
  clearTimeout(saveTimer)
  history.replaceState({ scrollY }, '')
}

/** Scrolls again in every frame until the content is there and long enough, or until a person scrolls. */
function restore(): void {
  clearTimeout(saveTimer)
  const top = (history.state as { scrollY?: number } | null)?.scrollY ?? 0
  const deadline = performance.now() + MAX_RESTORE_MS
  const end = new AbortController()
  for (const type of INTERRUPTIONS) addEventListener(type, () => end.abort(), { signal: end.signal })
  const step = (frame: number) => {
    isRestoring = !end.signal.aborted
    if (!isRestoring) return
    scrollTo(0, top)
    // The first frames may still show the previous screen.
    const isThere = frame > 3 && Math.abs(scrollY - top) < 1 && document.querySelector('.loading') === null
    if (isThere || performance.now() > deadline) end.abort()
    requestAnimationFrame(() => step(frame + 1))
  }
  step(0)
}
