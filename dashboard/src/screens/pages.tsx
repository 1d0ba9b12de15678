// The pages of a site: found, filtered and sorted without asking the service again; files dropped here become pages.

import { useMemo, useState } from 'preact/hooks'
import { type Listing, listAll, type Page, type Site } from '../api.js'
import { formatAge, formatBytes, formatCount } from '../format.js'
import { useLoaded } from '../load.js'
import { DropZone } from '../parts/drop-zone.js'
import { focusSearch, useShortcuts } from '../parts/shortcuts.js'
import { Await, Empty } from '../parts/state.js'
import { VirtualRows } from '../parts/virtual-rows.js'
import { navigate } from '../router.js'

type Status = 'published' | 'unpublished' | 'all'
type Sort = 'path' | 'newest' | 'title' | 'size'

/** Pages that are held here; beyond them the service searches. */
const MOST = 20_000

const compare = new Intl.Collator(undefined, { numeric: true }).compare

const ORDERS: Readonly<Record<Sort, (a: Page, b: Page) => number>> = {
  path: (a, b) => compare(a.path, b.path),
  newest: (a, b) => b.updatedAt.localeCompare(a.updatedAt) || compare(a.path, b.path),
  title: (a, b) => compare(a.title ?? '', b.title ?? '') || compare(a.path, b.path),
  size: (a, b) => b.size - a.size || compare(a.path, b.path),
}

export function PagesScreen({ site }: { site: Site }) {
  const [status, setStatus] = useState<Status>('published')
  const [sort, setSort] = useState<Sort>('path')
  const [q, setQ] = useState('')
  const pages = useLoaded<Listing<Page>>(`pages ${site.id} ${status}`, (signal, show) =>
    listAll<Page>(`/pages?status=${status}`, {
      site: site.id,
      signal,
      most: MOST,
      onSlice: (entries) => show({ entries, nextCursor: null }),
    }),
  )
  const rows = useMemo(() => choose(pages.data?.entries ?? [], q, sort), [pages.data, q, sort])
  useShortcuts({ n: () => navigate(`/sites/${site.slug}/new`), '/': focusSearch })
  return (
    <DropZone
      site={site}
      onPublished={pages.reload}
      bar={
        <>
          <label class="grow">
            <span class="unseen">Search path and title</span>
            <input
              type="search"
              placeholder="Search path and title"
              value={q}
              onInput={(event) => setQ(event.currentTarget.value)}
            />
          </label>
          <Choice label="Show" value={status} onChoose={setStatus} from={['published', 'unpublished', 'all']} />
          <Choice label="Sort by" value={sort} onChoose={setSort} from={['path', 'newest', 'title', 'size']} />
          <a class="button main" href={`/sites/${site.slug}/new`}>
            New page
          </a>
        </>
      }
    >
      <Await of={pages}>
        {({ entries, nextCursor }) =>
          entries.length === 0 ? (
            <NoPages site={site} status={status} />
          ) : (
            <>
              <p class="hint" role="status">
                {q === ''
                  ? formatCount(entries.length, 'page')
                  : `${rows.length} of ${formatCount(entries.length, 'page')}`}
                {nextCursor !== null && ', the first ones of more'}
              </p>
              <VirtualRows label="Pages" rows={rows} keyOf={({ id }) => id} height={56}>
                {(page) => <PageRow page={page} slug={site.slug} />}
              </VirtualRows>
            </>
          )
        }
      </Await>
    </DropZone>
  )
}

function choose(entries: readonly Page[], q: string, sort: Sort): Page[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const found = entries.filter(({ path, title }) => {
    const text = `${path} ${title ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return found.toSorted(ORDERS[sort])
}

function PageRow({ page, slug }: { page: Page; slug: string }) {
  return (
    <a class="row" href={`/sites/${slug}/pages/${page.id}`}>
      <span class="row-main">
        <strong>{page.path}</strong>
        <span class="hint">{page.title}</span>
      </span>
      {page.status === 'unpublished' && <span class="tag">unpublished</span>}
      <span class="hint wide-only">{formatBytes(page.size)}</span>
      <time class="hint" dateTime={page.updatedAt}>
        {formatAge(page.updatedAt)}
      </time>
    </a>
  )
}

function NoPages({ site, status }: { site: Site; status: Status }) {
  if (status === 'unpublished') return <Empty title="Nothing is unpublished" />
  const command = `echo '<h1>Hello</h1>' | curl -H "Authorization: Bearer $KEY" -H 'x-service-site-id: ${site.id}' \\
  -T - '${location.origin}/api/v1/pages?path=/hello'`
  return (
    <Empty title="No page yet" command={command}>
      <p>Drop HTML files here, press n, or publish the first page from a shell:</p>
    </Empty>
  )
}

interface ChoiceProps<T extends string> {
  label: string
  value: T
  from: readonly T[]
  onChoose: (value: T) => void
}

function Choice<T extends string>({ label, value, from, onChoose }: ChoiceProps<T>) {
  return (
    <label>
      <span class="unseen">{label}</span>
      <select value={value} title={label} onChange={(event) => onChoose(event.currentTarget.value as T)}>
        {from.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  )
}
