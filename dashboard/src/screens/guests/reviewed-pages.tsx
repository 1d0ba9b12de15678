// The pages that a guest reviews: each as the change makes it, in a frame beside its comments. It also opens in a tab of its own.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { formatCount } from '../../format.js'
import { LinkButton } from '../../parts/controls/button.js'
import { PageFrame } from '../../parts/seen/page-frame.js'
import { Badge } from '../../parts/states/badge.js'
import { Disclosure } from '../../parts/states/disclosure.js'
import type { GuestReview } from './guest-api.js'

const LOOKS = { added: 'ok', modified: 'draft', removed: 'danger' } as const
const WORDS = { added: 'new', modified: 'changed', removed: 'removed' } as const

interface ReviewedPagesProps {
  review: GuestReview
  /** Called before a frame is shown: its URL ends after minutes. */
  onLook: () => void
  /** Returns the comments on a page. */
  commentsOn: (path: string) => ComponentChildren
}

export function ReviewedPages({ review, onLook, commentsOn }: ReviewedPagesProps) {
  const { pages, previewUrl } = review
  if (pages.length === 0)
    return (
      <section class="panel">
        <p>The change is in files that all pages may use.</p>
        <LinkToTab url={previewUrl}>Open the start page</LinkToTab>
      </section>
    )
  return (
    <section aria-label="Pages">
      <h2>{formatCount(pages.length, 'page')}</h2>
      {pages.map((page, at) => (
        <OnePage key={page.path} review={review} page={page} isFirst={at === 0} onLook={onLook}>
          {commentsOn(page.path)}
        </OnePage>
      ))}
    </section>
  )
}

interface OnePageProps extends Pick<ReviewedPagesProps, 'review' | 'onLook'> {
  page: GuestReview['pages'][number]
  isFirst: boolean
  children: ComponentChildren
}

function OnePage({ review, page: { path, change }, isFirst, onLook, children }: OnePageProps) {
  const { previewUrl, frameUrl, comments } = review
  const [isOpen, setOpen] = useState(isFirst)
  const isThere = change !== 'removed'
  const open = comments.filter((each) => each.path === path && each.inReplyTo === null && each.resolvedAt === null)
  return (
    <Disclosure
      class="panel reviewed-page"
      isOpen={isOpen}
      onToggle={(next) => {
        if (next && !isOpen) onLook()
        setOpen(next)
      }}
      title={
        <>
          <Badge state={LOOKS[change]}>{WORDS[change]}</Badge> <span dir="auto">{path}</span>{' '}
          {open.length > 0 && <Badge state="info">{formatCount(open.length, 'open comment')}</Badge>}
        </>
      }
    >
      <div class="beside">
        {isThere && (
          <div class="look">
            {isOpen && frameUrl !== null && (
              <PageFrame title={`${path} with this change`} url={frameUrl + encodePath(path)} />
            )}
            <LinkToTab url={previewUrl + encodePath(path)} label={`Open in a tab: ${path}`}>
              Open in a tab
            </LinkToTab>
          </div>
        )}
        <div>{children}</div>
      </div>
    </Disclosure>
  )
}

function LinkToTab({ url, label, children }: { url: string; label?: string; children: string }) {
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
