// Lists of pages: those held in the browser, or those found by the service.

import type { Page, Site, Slice } from '../../api/client.js'
import { useSettled } from '../../api/use-settled.js'
import { formatCount, formatNumber } from '../../format.js'
import { Button } from '../../parts/controls/button.js'
import { SelectAll, SelectionBar, useSelection } from '../../parts/lists/selection.js'
import { VirtualRows } from '../../parts/lists/virtual-rows.js'
import { useMay } from '../../parts/rights/allowed.js'
import { AwaitList } from '../../parts/states/await.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import type { Act } from './acts/act.js'
import { ALL, readable } from './folders.js'
import { PageRow } from './page-row.js'
import { useFoundPages, usePageRows } from './use-pages.js'
import { ANY, SEARCH_DELAY_MS, type View } from './view.js'

type OnAct = (act: Act) => void

interface HeldPagesProps {
  site: Site
  held: Slice<Page>
  view: View
  onAct: OnAct
}

export function HeldPages({ site, held: { entries, nextCursor }, view, onAct }: HeldPagesProps) {
  const rows = usePageRows(entries, view)
  const isNarrowed = view.words !== '' || view.template !== ANY || view.folder !== ALL
  const end = nextCursor === null ? '' : ': the first ones by path. Search finds the others.'
  const count = `${isNarrowed ? `${formatNumber(rows.length)} of ` : ''}${formatCount(entries.length, 'page')}${end}`
  const isFolder = view.folder !== ALL
  return <PageRows site={site} pages={rows} count={count} folder={isFolder ? view.folder : undefined} onAct={onAct} />
}

interface FoundPagesProps {
  site: Site
  view: View
  onAct: OnAct
}

export function FoundPages({ site, view: { status, words }, onAct }: FoundPagesProps) {
  const found = useFoundPages(site, status, useSettled(words, SEARCH_DELAY_MS))
  const end = found.data?.nextCursor == null ? '' : ', and more'
  return (
    <AwaitList
      of={found}
      moreLabel="More pages"
      empty={<EmptyState icon="search" title="No page has this text in its path or title" />}
    >
      {(entries) => (
        <PageRows
          site={site}
          pages={entries}
          count={`${formatCount(entries.length, 'page')} found${end}`}
          onAct={onAct}
        />
      )}
    </AwaitList>
  )
}

const ROW_HEIGHT_PX = 56

interface PageRowsProps {
  site: Site
  pages: readonly Page[]
  count: string
  /** The shown folder, which may move. */
  folder?: string | undefined
  onAct: OnAct
}

function PageRows({ site, pages, count, folder, onAct }: PageRowsProps) {
  const held = useSelection()
  const mayWrite = useMay()('write')
  const selection = mayWrite ? held : undefined
  // A page that was chosen may be gone, or filtered away.
  const chosen = pages.filter(({ id, status }) => held.chosen.has(id) && status === 'published')
  return (
    <>
      <div class="rows-head">
        {selection && <SelectAll selection={selection} keys={pages.map(({ id }) => id)} />}
        <p class="hint" role="status">
          {count}
        </p>
        {folder !== undefined && mayWrite && (
          <Button kind="quiet" isSmall icon="folder" onClick={() => onAct({ does: 'move folder', folder })}>
            Rename or move {readable(folder)}
          </Button>
        )}
      </div>
      <VirtualRows label="Pages" rows={pages} keyOf={({ id }) => id} height={ROW_HEIGHT_PX}>
        {(page) => <PageRow site={site} page={page} selection={selection} onAct={onAct} />}
      </VirtualRows>
      {selection && (
        <SelectionBar selection={selection}>
          <Button icon="folder" disabled={chosen.length === 0} onClick={() => onAct({ does: 'move', pages: chosen })}>
            Move to folder…
          </Button>
          <Button disabled={chosen.length === 0} onClick={() => onAct({ does: 'unpublish', pages: chosen })}>
            Unpublish…
          </Button>
        </SelectionBar>
      )}
    </>
  )
}
