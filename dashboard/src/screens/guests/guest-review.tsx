// Shows a change request to a guest, whose link has its secret after the #. It stays there, so that the guest can come back to the address.

import '../../styles/guests.css'
import { useSyncExternalStore } from 'preact/compat'
import { useRef, useState } from 'preact/hooks'
import { useLoaded } from '../../api/use-loaded.js'
import { useTitle } from '../../browser/title.js'
import { formatCount, formatTime } from '../../format.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { Await } from '../../parts/states/await.js'
import { Product } from '../sign-in/signed-out.js'
import { GuestComments } from './guest-comments.js'
import { GuestThreads } from './guest-threads.js'
import { type GuestComment, type GuestReview, readGuestReview } from './guest-api.js'
import { ReviewedPages } from './reviewed-pages.js'

/** Shorter than the URL of the frames lasts. */
const FRAMES_LAST_MS = 4 * 60_000

export function GuestReviewScreen() {
  const token = useSyncExternalStore(subscribe, () => location.hash.slice(1))
  return (
    <main class="guest-review">
      <Product />
      {token === '' ? (
        <EmptyState title="Open your review link">
          <p>Open the whole link that you were sent, or paste it into the address bar of this tab.</p>
        </EmptyState>
      ) : (
        <Opened key={token} token={token} />
      )}
    </main>
  )
}

function Opened({ token }: { token: string }) {
  const review = useLoaded<GuestReview>('review', (signal) => readGuestReview(token, signal))
  const [name, setName] = useState('')
  useTitle(review.data?.title ?? 'Review')
  const readAt = useRef(performance.now())
  const renew = () => {
    if (performance.now() - readAt.current < FRAMES_LAST_MS) return
    readAt.current = performance.now()
    review.reload()
  }
  return (
    <>
      {review.data === undefined && <h1>Review</h1>}
      <Await of={review}>
        {(data) => {
          const onWritten = (made: GuestComment) => review.put({ ...data, comments: [...data.comments, made] })
          const guest = { token, review: data, name, onName: setName, onWritten }
          const threadsOn = (path: string) =>
            data.comments.filter((each) => each.inReplyTo === null && each.path === path)
          return (
            <>
              <Head review={data} />
              <ReviewedPages
                review={data}
                onLook={renew}
                commentsOn={(path) => <GuestThreads guest={guest} of={threadsOn(path)} isBeside />}
              />
              <GuestComments guest={guest} />
            </>
          )
        }}
      </Await>
    </>
  )
}

function Head({ review: { title, site, sentBy, pages, mayComment, expiresAt } }: { review: GuestReview }) {
  return (
    <header>
      <h1 dir="auto">{title}</h1>
      <p>
        <bdi>{sentBy}</bdi> asks you to look at a change of <bdi>{site}</bdi>. It is not live yet.
      </p>
      <p class="hint">
        This link shows {pages.length === 0 ? 'the site' : formatCount(pages.length, 'page')} with the change, and its
        comments. {mayComment ? 'You can comment. You change nothing else.' : 'You change nothing with it.'} It ends on{' '}
        <time dateTime={expiresAt}>{formatTime(expiresAt)}</time>, or with the change.
      </p>
    </header>
  )
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}
