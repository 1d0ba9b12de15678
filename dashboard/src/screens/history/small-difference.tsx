// The difference that a version of a page made, in a few lines, with a link to the whole comparison.

import { dataOf, siteApi, type VersionDiff } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { formatCount } from '../../format.js'
import { Await } from '../../parts/states/await.js'

/** More changed lines are counted. */
const MAX_LINES = 8
/** The rest of a longer line is left out. */
const MAX_CHARACTERS = 300
/** A longer common start of two lines is cut to a few characters. */
const MAX_SAME = 60
const KEPT_SAME = 24

interface SmallDifferenceProps {
  site: { id: string; slug: string }
  pageId: string
  version: number
  /** Names the page or the version. */
  name: string
  /** Shows the name, where there are several. */
  isNamed?: boolean
}

export function SmallDifference({ site, pageId, version, name, isNamed = false }: SmallDifferenceProps) {
  const difference = useLoaded<VersionDiff>(`small difference ${pageId} ${version}`, async (signal) => {
    const params = { path: { id: pageId }, query: { to: String(version) } }
    return dataOf(await siteApi(site).GET('/pages/{id}/diff', { params, signal }))
  })
  return (
    <div class="difference short">
      {isNamed && <strong dir="auto">{name}</strong>}
      <Await of={difference}>{({ hunks }) => <ChangedLines hunks={hunks} name={name} />}</Await>
      <a href={`/sites/${site.slug}/pages/${pageId}/history?from=${version - 1}&to=${version}`}>
        Compare as visitors see it
      </a>
    </div>
  )
}

interface ChangedLinesProps {
  hunks: VersionDiff['hunks']
  name: string
  /** More lines are counted. */
  max?: number
}

/** The first changed lines, and how many there are. */
export function ChangedLines({ hunks, name, max = MAX_LINES }: ChangedLinesProps) {
  if (hunks === null) return <p class="hint">The versions are too large for a difference by lines.</p>
  const changed = hunks.flatMap(({ lines }) => withoutSameStart(lines.filter((line) => /^[+-]/.test(line))))
  if (changed.length === 0) return <p class="hint">The text stayed as it was.</p>
  const added = changed.filter((line) => line.startsWith('+')).length
  const removed = changed.length - added
  return (
    <>
      <p class="hint">
        <span aria-hidden="true">
          <span class="plus">+{added}</span> <span class="minus">−{removed}</span>
        </span>
        <span class="unseen">
          {formatCount(added, 'line')} added, {formatCount(removed, 'line')} removed
        </span>
      </p>
      <pre tabIndex={0} role="region" aria-label={`Changed lines of ${name}`}>
        {changed.slice(0, max).map((line, at) => (
          <Line key={at} text={line} />
        ))}
      </pre>
      {changed.length > max && <p class="hint">and {formatCount(changed.length - max, 'more changed line')}</p>}
    </>
  )
}

function Line({ text }: { text: string }) {
  const shown = text.slice(1, MAX_CHARACTERS)
  return text.startsWith('+') ? <ins>{shown}</ins> : <del>{shown}</del>
}

/** Leaves out the long start that a removed line shares with the added one in its place: what differs is then in sight. */
function withoutSameStart(lines: readonly string[]): string[] {
  const signed = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1))
  const [removed, added] = [signed('-'), signed('+')]
  const starts = removed.map((line, at) => shownStart(line, added[at] ?? ''))
  const cut = (line: string, start = 0) => (start === 0 ? line : `…${line.slice(start)}`)
  return [
    ...removed.map((line, at) => `-${cut(line, starts[at])}`),
    ...added.map((line, at) => `+${cut(line, starts[at])}`),
  ]
}

function shownStart(one: string, other: string): number {
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  return same > MAX_SAME ? same - KEPT_SAME : 0
}
