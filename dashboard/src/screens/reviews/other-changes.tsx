// Lists the other changes of a change request: first those of every page, then records, then other files.

import type { RequestChange } from '../../api/client.js'
import { formatCount } from '../../format.js'
import { Badge } from '../../parts/states/badge.js'
import { Disclosure } from '../../parts/states/disclosure.js'
import { CommentsHere, type Discussion, OpenThreads } from './comments/comments-here.js'
import { FileDifference } from './file-difference.js'
import { CHANGE_STATES, CHANGE_WORDS } from './changed-pages.js'
import type { Review } from './use-review.js'

interface OtherChangesProps {
  review: Review
  discussion: Discussion
}

export function OtherChanges({ review, discussion }: OtherChangesProps) {
  const { changes, hasMore } = review
  const shared = { review, discussion }
  const others = changes.filter(({ page, path }) => page === null && !path.startsWith('.pages/'))
  const ofAll = others.filter(({ path }) => changesEveryPage(path))
  const records = others.filter(({ path }) => path.startsWith('collections/'))
  const files = others.filter((change) => !ofAll.includes(change) && !records.includes(change))
  return (
    <>
      <Part title="Changes every page" isWarning of={ofAll} {...shared} />
      <Part title="Records and collections" of={records} {...shared} />
      <Part title="Files" of={files} {...shared} />
      {hasMore && <p class="hint">These are the first {changes.length} changed files: there are more.</p>}
    </>
  )
}

interface PartProps extends OtherChangesProps {
  title: string
  of: readonly RequestChange[]
  isWarning?: boolean
}

function Part({ title, of, review, discussion, isWarning = false }: PartProps) {
  if (of.length === 0) return null
  return (
    <section class="review-part" aria-label={title}>
      <h3>
        {title} <span class="hint">{formatCount(of.length, 'file')}</span>
      </h3>
      {isWarning && <p class="hint">These files decide how all pages of the site look or answer.</p>}
      {of.map(({ path, change }) => (
        <Disclosure
          key={path}
          class="panel review-page"
          title={
            <>
              <Badge state={CHANGE_STATES[change]}>{CHANGE_WORDS[change]}</Badge> <code>{path}</code>{' '}
              <OpenThreads on={path} of={discussion} />
            </>
          }
        >
          <FileDifference request={review.request} path={path} />
          <CommentsHere review={review} discussion={discussion} path={path} isRemoved={change === 'removed'} />
        </Disclosure>
      ))}
    </section>
  )
}

/** Whether the file is of rules, of the look, or of a layout. */
function changesEveryPage(path: string): boolean {
  const isOfSite =
    path === '_headers' || path === '_redirects' || path.startsWith('.site/') || path.startsWith('.templates/')
  return isOfSite || /\.(?:css|js|mjs)$/.test(path)
}
