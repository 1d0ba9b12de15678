// Facts of a changed page for a reviewer: its size, and images without words for people who cannot see them.

import { formatBytes, formatCount } from '../../format.js'

interface PageFactsProps {
  before: string | null
  after: string | null
}

export function PageFacts({ before, after }: PageFactsProps) {
  if (after === null) return null
  const mute = imagesWithoutWords(after)
  const size = formatBytes(bytesOf(after))
  return (
    <p class="hint">
      {before === null || before === after ? size : `${size}, before ${formatBytes(bytesOf(before))}`}
      {mute > 0 && (
        <strong class="wrong"> {formatCount(mute, 'image')} without words for people who cannot see it</strong>
      )}
    </p>
  )
}

/** Counts images without `alt`. An empty one is right for an ornament. */
function imagesWithoutWords(html: string): number {
  return new DOMParser().parseFromString(html, 'text/html').querySelectorAll('img:not([alt])').length
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
