// The pages of a site, with search, filter and order; HTML files dropped here become pages. The address contains the search, the filter
// and the order, so that Back returns to them.

import { useEffect, useState } from 'preact/hooks'
import type { Site } from '../../api/client.js'
import { useSettled } from '../../api/use-settled.js'
import { navigate, replaceQuery, useQuery } from '../../browser/router.js'
import { focusSearch, useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { Allowed, useMay } from '../../parts/allowed.js'
import { SelectBox } from '../../parts/choice.js'
import { SearchField } from '../../parts/search-field.js'
import { Await } from '../../parts/state.js'
import { DropZone } from './drop-zone.js'
import { FoundPages, HeldPages, NoPages } from './page-list.js'
import { TextHits } from './text-hits.js'
import { SORTS, STATUSES, useHeldPages } from './use-pages.js'

/** The texts to search: paths and titles, as in the list, or the text of the pages. */
const PLACES = ['path and title', 'text'] as const
const SEARCH_DELAY_MS = 250

export function PagesScreen({ site }: { site: Site }) {
  const query = useQuery()
  const status = STATUSES.find((each) => each === query.get('status')) ?? 'published'
  const sort = SORTS.find((each) => each === query.get('sort')) ?? 'path'
  const place = PLACES.find((each) => each === query.get('in')) ?? 'path and title'
  const [words, setWords] = useSearch(query.get('q') ?? '')
  const pages = useHeldPages(site, status)
  const may = useMay()
  useShortcuts({ ...(may('write') && { n: () => navigate(`/sites/${site.slug}/new`) }), '/': focusSearch })
  useTitle('Pages', site.slug)
  return (
    <DropZone
      site={site}
      onPublished={pages.reload}
      bar={
        <>
          <SearchField label={`Search ${place}`} value={words} onValue={setWords} />
          <SelectBox label="Search in" value={place} onChoose={(value) => replaceQuery({ in: value })} from={PLACES} />
          <SelectBox
            label="Status"
            value={status}
            onChoose={(value) => replaceQuery({ status: value })}
            from={STATUSES}
          />
          <SelectBox label="Sort by" value={sort} onChoose={(value) => replaceQuery({ sort: value })} from={SORTS} />
          <Allowed to="write">
            <a class="button main" href={`/sites/${site.slug}/new`}>
              New page
            </a>
          </Allowed>
        </>
      }
    >
      <Await of={pages}>
        {(held) => {
          if (place === 'text' && words.trim() !== '') return <TextHits site={site} words={words} />
          if (held.entries.length === 0) return <NoPages site={site} status={status} />
          if (held.nextCursor !== null && words !== '') return <FoundPages site={site} status={status} words={words} />
          return <HeldPages site={site} held={held} words={words} sort={sort} />
        }}
      </Await>
    </DropZone>
  )
}

/** Returns the words in the search field, and writes them to the address once the typing pauses. */
function useSearch(initial: string): [string, (words: string) => void] {
  const [words, setWords] = useState(initial)
  const settled = useSettled(words, SEARCH_DELAY_MS)
  useEffect(() => {
    if (settled !== initial) replaceQuery({ q: settled })
  }, [settled])
  return [words, setWords]
}
