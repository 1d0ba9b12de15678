// The title of the document, which the browser shows in its tabs, its history and its bookmarks.

import { useEffect } from 'preact/hooks'

/** `useTitle('/about', 'demo')` gives `/about · demo · Palimpsest`. */
export function useTitle(...parts: readonly string[]): void {
  const title = [...parts, 'Palimpsest'].join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
