// Tells whether an element has ever been visible in the window.

import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

export function useWasVisible(element: RefObject<Element | null>): boolean {
  const [wasVisible, setWasVisible] = useState(false)
  useEffect(() => {
    if (element.current === null) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      setWasVisible(true)
      observer.disconnect()
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return wasVisible
}
