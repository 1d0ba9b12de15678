// Sets the title of the document, which the browser shows in tabs, history and bookmarks.

import { useLayoutEffect } from 'preact/hooks'

/** `useTitle('/about', 'demo')` gives `/about · demo · Palimpsest`. */
export function useTitle(...parts: readonly string[]): void {
  const title = [...parts, 'Palimpsest'].join(' · ')
  useLayoutEffect(() => {
    document.title = title
  }, [title])
}
