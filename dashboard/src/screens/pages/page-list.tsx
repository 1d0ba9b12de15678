// Lists of pages: those held in the browser, or those found by the service.

import type { Page, Site, Slice } from '../../api/client.js'
import { useSettled } from '../../api/use-settled.js'
import { formatBytes, formatCount } from '../../format.js'
import { Age } from '../../parts/age.js'
import { useMay } from '../../parts/allowed.js'
import { KeyHint } from '../../parts/key-hint.js'
import { AwaitList, Empty } from '../../parts/state.js'
import { VirtualRows } from '../../parts/virtual-rows.js'
import { type Sort, type Status, useFoundPages, usePageRows } from './use-pages.js'

const SEARCH_DELAY_MS = 250

interface HeldPagesProps {
  site: Site
  held: Slice<Page>
  words: string
  sort: Sort
}

export function HeldPages({ site, held: { entries, nextCursor }, words, sort }: HeldPagesProps) {
  const rows = usePageRows(entries, words, sort)
  return (
    <>
      <p class="hint" role="status">
        {words === '' ? '' : `${rows.length} of `}
        {formatCount(entries.length, 'page')}
        {nextCursor !== null && ': the first ones by path. Search finds the others.'}
      </p>
      <PageRows site={site} pages={rows} />
    </>
  )
}

interface FoundPagesProps {
  site: Site
  status: Status
  words: string
}

export function FoundPages({ site, status, words }: FoundPagesProps) {
  const found = useFoundPages(site, status, useSettled(words, SEARCH_DELAY_MS))
  return (
    <AwaitList of={found} moreLabel="More pages" empty={<Empty title="No page has this text in its path or title" />}>
      {(entries) => (
        <>
          <p class="hint" role="status">
            {formatCount(entries.length, 'page')} found
            {found.data?.nextCursor == null ? '' : ', and more'}
          </p>
          <PageRows site={site} pages={entries} />
        </>
      )}
    </AwaitList>
  )
}

const ROW_HEIGHT_PX = 56

function PageRows({ site, pages }: { site: Site; pages: readonly Page[] }) {
  return (
    <VirtualRows label="Pages" rows={pages} keyOf={({ id }) => id} height={ROW_HEIGHT_PX}>
      {(page) => (
        <a class="row" href={`/sites/${site.slug}/pages/${page.id}`}>
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
      )}
    </VirtualRows>
  )
}

export function NoPages({ site, status }: { site: Site; status: Status }) {
  const may = useMay()
  if (status === 'unpublished') return <Empty title="No unpublished pages" />
  const command = `echo '<h1>Hello</h1>' | curl -H "Authorization: Bearer $KEY" -H 'x-service-site-id: ${site.id}' \\
  -T - '${location.origin}/api/v1/pages?path=/hello'`
  if (!may('write')) return <Empty title="No pages yet" />
  return (
    <Empty title="No pages yet" command={command}>
      <p>Drop HTML files here, press n, or publish the first page from a shell:</p>
      <KeyHint />
    </Empty>
  )
}
