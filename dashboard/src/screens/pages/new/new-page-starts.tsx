// The starts of a new page, each with a small picture: the templates, and own HTML.

import { useId } from 'preact/hooks'
import { type Site, siteApi, sliceOf } from '../../../api/client.js'
import { useLoaded } from '../../../api/use-loaded.js'
import type { NewPageDraft } from '../../../browser/drafts.js'
import { OWN_HTML } from './use-new-page-draft.js'

interface StartsProps {
  site: Site
  draft: NewPageDraft
  onChoose: (from: string) => void
}

/** Every site has these. */
const BUILT_IN = ['article', 'landing', 'blank'] as const

const WORDS: Readonly<Record<string, string>> = {
  article: 'Article',
  landing: 'Landing page',
  blank: 'Blank',
  [OWN_HTML]: 'My own HTML',
}

export function NewPageStarts({ site, draft, onChoose }: StartsProps) {
  const name = useId()
  const templates = useTemplates(site)
  const own = templates.filter((id) => !BUILT_IN.some((each) => each === id))
  const starts = [...BUILT_IN, ...own, OWN_HTML]
  return (
    <fieldset class="starts" role="radiogroup">
      <legend>Begin with</legend>
      {starts.map((each) => (
        <label key={each} class="start">
          <input type="radio" name={name} checked={draft.from === each} onChange={() => onChoose(each)} />
          <Picture of={each} />
          <span>{WORDS[each] ?? each}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Lines of text as bars, in a frame like a page. */
function Picture({ of: start }: { of: string }) {
  return (
    <svg viewBox="0 0 96 64" aria-hidden="true">
      <rect class="sheet" x="1" y="1" width="94" height="62" rx="5" />
      {(DRAWINGS[start] ?? OWN_TEMPLATE).map(([x, y, width, height, kind]) => (
        <rect key={`${x} ${y}`} class={kind} x={x} y={y} width={width} height={height} rx="1.5" />
      ))}
    </svg>
  )
}

type Bar = readonly [x: number, y: number, width: number, height: number, kind: 'strong' | 'faint']

const DRAWINGS: Readonly<Record<string, readonly Bar[]>> = {
  article: [
    [26, 10, 34, 6, 'strong'],
    [26, 22, 44, 3, 'faint'],
    [26, 29, 44, 3, 'faint'],
    [26, 36, 38, 3, 'faint'],
    [26, 46, 44, 3, 'faint'],
    [26, 53, 30, 3, 'faint'],
  ],
  landing: [
    [20, 16, 56, 9, 'strong'],
    [12, 38, 72, 3, 'faint'],
    [12, 45, 72, 3, 'faint'],
    [12, 52, 48, 3, 'faint'],
  ],
  blank: [],
  [OWN_HTML]: [
    [10, 12, 20, 4, 'strong'],
    [18, 21, 34, 4, 'faint'],
    [26, 30, 46, 4, 'faint'],
    [18, 39, 28, 4, 'faint'],
    [10, 48, 22, 4, 'strong'],
  ],
}

const OWN_TEMPLATE: readonly Bar[] = [
  [1, 1, 94, 11, 'strong'],
  [10, 20, 24, 34, 'faint'],
  [42, 20, 44, 4, 'faint'],
  [42, 29, 44, 4, 'faint'],
  [42, 38, 30, 4, 'faint'],
]

/** Returns the ids of the templates. */
function useTemplates(site: Site): readonly string[] {
  const templates = useLoaded<string[]>(`templates ${site.id}`, async (signal) => {
    const { entries } = sliceOf(await siteApi(site).GET('/templates', { signal }))
    return entries.map(({ id }) => id)
  })
  return templates.data ?? []
}
