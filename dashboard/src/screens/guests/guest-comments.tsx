// The comments of a change request that stand beside no page, as a guest reads them, and the form for a new one.

import { GuestForm } from './guest-form.js'
import { type Guest, GuestThreads } from './guest-threads.js'

export function GuestComments({ guest }: { guest: Guest }) {
  const { comments, pages, mayComment } = guest.review
  const above = new Set(pages.map(({ path }) => path))
  const here = comments.filter(({ inReplyTo, path }) => inReplyTo === null && (path === null || !above.has(path)))
  return (
    <section aria-label="Comments">
      <h2>Comments</h2>
      {comments.length === 0 && <p class="hint">Nobody has commented yet.</p>}
      <GuestThreads guest={guest} of={here} />
      {mayComment ? (
        <GuestForm {...guest} />
      ) : (
        <p class="hint">This site takes no comments of guests. Answer whoever sent you the link.</p>
      )}
    </section>
  )
}
