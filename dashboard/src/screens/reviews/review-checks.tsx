// Findings of the checks of the site in the changed files, also links to a page that the change removes. Images are checked with each page.

import type { Review } from './use-review.js'

export function ReviewChecks({ review: { changes, checks } }: { review: Review }) {
  if (checks === undefined) return <p class="hint">The checks could not be run.</p>
  const pages = new Set(changes.flatMap(({ page }) => (page === null ? [] : [page.id])))
  const files = new Set(changes.map(({ path }) => path))
  const removed = new Set(
    changes.flatMap(({ page, change }) => (change === 'removed' && page !== null ? page.path : [])),
  )
  const findings = checks.findings.filter(
    ({ path, target, pages: on = [] }) =>
      files.has(path) || on.some(({ id }) => pages.has(id)) || (target !== undefined && removed.has(target)),
  )
  return (
    <section class="review-part" aria-label="Checks">
      <h3>Checks</h3>
      {findings.length === 0 ? (
        <p class="hint">The checks find no problems in these files.</p>
      ) : (
        <ul class="panel findings">
          {findings.map(({ path, message, pages: on = [] }, at) => (
            <li key={at}>
              {on.length === 0 && <code>{path}</code>}
              <p>
                {message}
                {on.length > 0 && <span class="hint"> On {on.map((page) => page.path).join(', ')}</span>}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
