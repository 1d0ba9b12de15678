// A page before and after a change request: as visitors see it, on a phone too. Or the difference of its text, or of its HTML.

import { useState } from 'preact/hooks'
import { readChange } from '../../../../src/model/change-words.js'
import type { Site, Version } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { isNarrow } from '../../browser/narrow.js'
import { Comparison } from '../../editor/editor.js'
import { LinkButton } from '../../parts/controls/button.js'
import { Segmented } from '../../parts/controls/segmented.js'
import { Allowed, useMay } from '../../parts/rights/allowed.js'
import { Await } from '../../parts/states/await.js'
import { SeenTexts } from '../../parts/seen/seen-texts.js'
import type { Quote } from '../../parts/seen/mark-changes.js'
import { whoMade } from '../history/who.js'
import type { ChangedPage } from './changed-pages.js'
import { CommentsHere, type Discussion } from './comments/comments-here.js'
import { type CommentThread, threadsOn } from './comments/threads.js'
import { FileDifference } from './file-difference.js'
import { PageFacts } from './page-facts.js'
import { type Both, readBoth, readLast } from './read-both.js'
import type { Review } from './use-review.js'

const VIEWS = ['seen', 'phone', 'text', 'html'] as const
type View = (typeof VIEWS)[number]

const LABELS: Readonly<Record<View, string>> = { seen: 'Desktop', phone: 'Phone', text: 'Text', html: 'HTML' }

interface PageChangeProps {
  site: Site
  review: Review
  discussion: Discussion
  changed: ChangedPage
}

export function PageChange({ site, review, discussion, changed }: PageChangeProps) {
  const { page, change } = changed
  const { request } = review
  const views = useMay()('try') ? VIEWS : VIEWS.slice(2)
  const [view, setView] = useState<View>(() => (views[0] === 'seen' && isNarrow() ? 'phone' : (views[0] ?? 'text')))
  const both = useLoaded<Both>(`both ${request.id} ${request.head} ${page.id}`, (signal) =>
    readBoth(site, request, changed, signal),
  )
  const last = useLoaded<Version | null>(`last ${request.id} ${request.head} ${page.id}`, (signal) =>
    readLast(site, request, page.id, signal),
  )
  const quotes = openQuotes(threadsOn(page.path, discussion.threads))
  return (
    <div class="short">
      <div class="bar">
        <Segmented
          label={`View of ${page.path}`}
          isLabelUnseen
          value={view}
          from={views}
          labelOf={(each) => LABELS[each]}
          onChoose={setView}
        />
        <Allowed to="try">
          {request.closedAt === null && change !== 'removed' && (
            <LinkButton
              icon="edit"
              isSmall
              href={`/sites/${site.slug}/pages/${page.id}?changeRequest=${request.id}`}
              aria-label={`Edit ${page.path}`}
            >
              Edit
            </LinkButton>
          )}
        </Allowed>
      </div>
      <Await of={both}>
        {({ before, after }) => (
          <>
            {last.data != null && <Last version={last.data} />}
            <PageFacts before={before} after={after} />
            {(view === 'seen' || view === 'phone') && (
              <SeenTexts
                site={site}
                path={page.path}
                of={`${request.id} ${request.head} ${page.id}`}
                before={{ name: `${page.path} now`, html: before }}
                after={{ name: `${page.path} with this change`, html: after, request: request.id, quotes }}
                isPhone={view === 'phone'}
              />
            )}
            {view === 'text' && <FileDifference request={request} path={page.path} as="text" />}
            {view === 'html' && (
              <Comparison before={before ?? ''} after={after ?? ''} layout={isNarrow() ? 'inline' : 'side by side'} />
            )}
            <CommentsHere
              review={review}
              discussion={discussion}
              path={page.path}
              html={after}
              isRemoved={change === 'removed'}
            />
          </>
        )}
      </Await>
    </div>
  )
}

/** Returns the words that open comments are about. */
function openQuotes(threads: readonly CommentThread[]): Quote[] {
  return threads.flatMap(({ first: { number, quote, resolvedAt } }) =>
    quote === null || resolvedAt !== null ? [] : [{ number, exact: quote.exact }],
  )
}

/** Names who wrote last, for whom, and why. */
function Last({ version }: { version: Version }) {
  const who = whoMade(version)
  const { said } = readChange(version.message)
  return (
    <p class="hint">
      Last written by <bdi>{who.name}</bdi>
      {who.person !== undefined && (
        <>
          {' '}
          for <bdi>{who.person}</bdi>
        </>
      )}
      {said !== undefined && (
        <>
          : <q dir="auto">{said}</q>
        </>
      )}
    </p>
  )
}
