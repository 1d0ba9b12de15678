// The pages that a change request changes: each as it is and as it will be. The first one is open.

import { useState } from 'preact/hooks'
import type { RequestChange, Site } from '../../api/client.js'
import { formatCount } from '../../format.js'
import { Badge } from '../../parts/states/badge.js'
import { Disclosure } from '../../parts/states/disclosure.js'
import { type Discussion, OpenThreads } from './comments/comments-here.js'
import { PageChange } from './page-change.js'
import type { Review } from './use-review.js'

export const CHANGE_STATES = { added: 'ok', modified: 'draft', removed: 'danger' } as const
export const CHANGE_WORDS = { added: 'added', modified: 'changed', removed: 'removed' } as const

type PageOf = NonNullable<RequestChange['page']>

/** A page with the change of its document; of one that only has another title or place, that of its metadata. */
export interface ChangedPage {
  page: PageOf
  change: RequestChange['change']
  /** Its texts, where they came with the list. */
  html?: RequestChange['html']
}

interface ChangedPagesProps {
  site: Site
  review: Review
  discussion: Discussion
}

export function ChangedPages({ site, review, discussion }: ChangedPagesProps) {
  const pages = pagesIn(review.changes)
  if (pages.length === 0) return null
  return (
    <section class="review-part" aria-label="Pages">
      <h3>{formatCount(pages.length, 'page')}</h3>
      {pages.map((changed, at) => (
        <OnePage
          key={changed.page.id}
          site={site}
          review={review}
          discussion={discussion}
          changed={changed}
          isFirst={at === 0}
        />
      ))}
    </section>
  )
}

interface OnePageProps extends ChangedPagesProps {
  changed: ChangedPage
  isFirst: boolean
}

function OnePage({ site, review, discussion, changed, isFirst }: OnePageProps) {
  const [isOpen, setOpen] = useState(isFirst)
  const { page, change } = changed
  return (
    <Disclosure
      class="panel review-page"
      isOpen={isOpen}
      onToggle={setOpen}
      title={
        <>
          <Badge state={CHANGE_STATES[change]}>{CHANGE_WORDS[change]}</Badge>{' '}
          <strong dir="auto">{page.title === null || page.title === '' ? page.path : page.title}</strong>{' '}
          <span class="hint">{page.path}</span> <OpenThreads on={page.path} of={discussion} />
        </>
      }
    >
      {isOpen && <PageChange site={site} review={review} discussion={discussion} changed={changed} />}
    </Disclosure>
  )
}

/** Returns each page once. */
function pagesIn(changes: readonly RequestChange[]): ChangedPage[] {
  const pages = new Map<string, ChangedPage>()
  for (const { page, path, change, html } of changes) {
    if (page === null) continue
    const isDocument = path.endsWith('.html')
    if (isDocument || !pages.has(page.id)) pages.set(page.id, { page, change: isDocument ? change : 'modified', html })
  }
  return [...pages.values()]
}
