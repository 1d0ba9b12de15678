// Lists the pages that a guest reviews. Each opens in a tab of its own, on the host of the preview.

import { LinkButton } from '../../parts/controls/button.js'
import { Badge } from '../../parts/states/badge.js'
import { formatCount } from '../../format.js'
import type { GuestReview } from './guest-api.js'

const LOOKS = { added: 'ok', modified: 'draft', removed: 'danger' } as const
const WORDS = { added: 'new', modified: 'changed', removed: 'removed' } as const

export function ReviewedPages({ review: { pages, previewUrl } }: { review: GuestReview }) {
  if (pages.length === 0)
    return (
      <section class="panel">
        <p>The change is in files that all pages may use.</p>
        <Preview url={previewUrl}>Open the start page</Preview>
      </section>
    )
  return (
    <section aria-label="Pages">
      <h2>{formatCount(pages.length, 'page')}</h2>
      <ul class="reviewed-pages">
        {pages.map(({ path, change }) => (
          <li key={path}>
            <Badge state={LOOKS[change]}>{WORDS[change]}</Badge>
            <span class="grow" dir="auto">
              {path}
            </span>
            {change !== 'removed' && (
              <Preview url={previewUrl + encodePath(path)} label={`Open ${path}`}>
                Open
              </Preview>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Preview({ url, label, children }: { url: string; label?: string; children: string }) {
  return (
    <LinkButton icon="open" href={url} target="_blank" rel="noopener noreferrer" aria-label={label}>
      {children}
    </LinkButton>
  )
}

/** Returns the path below the URL of the preview, which ends with a slash. */
function encodePath(path: string): string {
  return path.slice(1).split('/').map(encodeURIComponent).join('/')
}
