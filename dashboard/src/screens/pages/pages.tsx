// The pages of a site: searched, filtered and sorted; HTML files dropped here become pages.

import { useState } from 'preact/hooks'
import type { Page, Site } from '../../api/client.js'
import { navigate } from '../../browser/router.js'
import { focusSearch, useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { formatBytes, formatCount } from '../../format.js'
import { Age } from '../../parts/age.js'
import { SelectBox } from '../../parts/choice.js'
import { SearchField } from '../../parts/search-field.js'
import { Await, Empty } from '../../parts/state.js'
import { VirtualRows } from '../../parts/virtual-rows.js'
import { DropZone } from './drop-zone.js'
import { type Sort, SORTS, type Status, STATUSES, usePages } from './use-pages.js'

const ROW_HEIGHT_PX = 56

export function PagesScreen({ site }: { site: Site }) {
  const [status, setStatus] = useState<Status>('published')
  const [sort, setSort] = useState<Sort>('path')
  const [q, setQ] = useState('')
  const { pages, rows } = usePages(site, { status, sort, q })
  useShortcuts({ n: () => navigate(`/sites/${site.slug}/new`), '/': focusSearch })
  useTitle('Pages', site.slug)
  return (
    <DropZone
      site={site}
      onPublished={pages.reload}
      bar={
        <>
          <SearchField label="Search path and title" value={q} onValue={setQ} />
          <SelectBox label="Status" value={status} onChoose={setStatus} from={STATUSES} />
          <SelectBox label="Sort by" value={sort} onChoose={setSort} from={SORTS} />
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
                {q === '' ? '' : `${rows.length} of `}
                {formatCount(entries.length, 'page')}
                {nextCursor !== null && ', the first ones of more'}
              </p>
              <VirtualRows label="Pages" rows={rows} keyOf={({ id }) => id} height={ROW_HEIGHT_PX}>
                {(page) => <PageRow page={page} slug={site.slug} />}
              </VirtualRows>
            </>
          )
        }
      </Await>
    </DropZone>
  )
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
      <span class="hint">
        <Age of={page.updatedAt} />
      </span>
    </a>
  )
}

function NoPages({ site, status }: { site: Site; status: Status }) {
  if (status === 'unpublished') return <Empty title="No unpublished pages" />
  const command = `echo '<h1>Hello</h1>' | curl -H "Authorization: Bearer $KEY" -H 'x-service-site-id: ${site.id}' \\
  -T - '${location.origin}/api/v1/pages?path=/hello'`
  return (
    <Empty title="No pages yet" command={command}>
      <p>Drop HTML files here, press n, or publish the first page from a shell:</p>
    </Empty>
  )
}
