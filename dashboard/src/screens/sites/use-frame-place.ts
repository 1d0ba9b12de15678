// Bounds the frames that are open at once: each holds a document. A frame that has left the screen gives its place to one that comes.

import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const MAX_FRAMES = 12

interface Holder {
  isVisible: boolean
  setHeld: (isHeld: boolean) => void
}

/** The oldest first. */
const holders: Holder[] = []

/** Returns whether the element may hold a frame now. It asks once it is on the screen. */
export function useFramePlace(element: RefObject<Element | null>): boolean {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (element.current === null) return undefined
    const holder: Holder = { isVisible: false, setHeld }
    const observer = new IntersectionObserver((entries) => {
      holder.isVisible = entries.at(-1)?.isIntersecting === true
      if (holder.isVisible) take(holder)
    })
    observer.observe(element.current)
    return () => {
      observer.disconnect()
      release(holder)
    }
  }, [])
  return isHeld
}

function take(holder: Holder): void {
  if (holders.includes(holder)) return
  if (holders.length >= MAX_FRAMES) {
    const gone = holders.find(({ isVisible }) => !isVisible)
    if (gone === undefined) return
    release(gone)
    gone.setHeld(false)
  }
  holders.push(holder)
  holder.setHeld(true)
}

function release(holder: Holder): void {
  const at = holders.indexOf(holder)
  if (at >= 0) holders.splice(at, 1)
}
