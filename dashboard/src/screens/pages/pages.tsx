// The pages of a site: the tree of their folders, the list with search and filters, and what can be done to them.

import { useState } from 'preact/hooks'
import type { Page, Site } from '../../api/client.js'
import { navigate } from '../../browser/router.js'
import { focusSearch, useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { nameOfSite } from '../../format.js'
import { LinkButton } from '../../parts/controls/button.js'
import { SearchField } from '../../parts/controls/search-field.js'
import { Tree } from '../../parts/lists/tree.js'
import { Allowed, useMay } from '../../parts/rights/allowed.js'
import { Await } from '../../parts/states/await.js'
import { Late } from '../../parts/states/late.js'
import type { Act } from './acts/act.js'
import { Drafts } from './drafts.js'
import { DropZone } from './drop-zone.js'
import { Filters } from './filters.js'
import { ALL, wayTo } from './folders.js'
import { Latest } from './latest.js'
import { NoPages } from './no-pages.js'
import { FoundPages, HeldPages } from './page-list.js'
import { TextHits } from './text-hits.js'
import { useHeldPages, useTree } from './use-pages.js'
import { useView } from './view.js'

export function PagesScreen({ site }: { site: Site }) {
  const held = useView()
  const { view, setWords, change } = held
  const pages = useHeldPages(site, view.status)
  const tree = useTree(pages.data)
  const [act, setAct] = useState<Act>()
  const may = useMay()
  useShortcuts({ ...(may('write') && { n: () => navigate(`/sites/${site.slug}/new`) }), '/': focusSearch })
  useTitle('Pages', nameOfSite(site))
  return (
    <>
      <Latest site={site} onChanged={pages.reload} />
      {may('try') && <Drafts site={site} />}
      <DropZone
        site={site}
        onPublished={pages.reload}
        bar={
          <>
            <SearchField label={`Search ${view.place}`} value={view.words} onValue={setWords} />
            <Filters held={held} pages={pages.data?.entries ?? NONE} tree={tree} />
          </>
        }
        action={
          <Allowed to="write">
            <LinkButton kind="main" icon="add" class="short" href={`/sites/${site.slug}/new`}>
              <span>New page</span>
            </LinkButton>
          </Allowed>
        }
      >
        {(onFolder) => (
          <Await of={pages}>
            {(slice) => {
              if (view.place === 'text' && view.words.trim() !== '') return <TextHits site={site} words={view.words} />
              if (slice.entries.length === 0) return <NoPages site={site} status={view.status} onFolder={onFolder} />
              if (slice.nextCursor !== null && view.words !== '')
                return <FoundPages site={site} view={view} onAct={setAct} />
              const list = <HeldPages site={site} held={slice} view={view} onAct={setAct} />
              if (tree === undefined) return list
              return (
                <div class="beside-tree">
                  <nav class="wide-only" aria-label="Folders">
                    <Tree
                      label="Folders"
                      nodes={tree}
                      chosen={view.folder}
                      openAtFirst={wayTo(view.folder)}
                      onChoose={(folder) => change({ folder: folder === ALL ? '' : folder })}
                    />
                  </nav>
                  <div>{list}</div>
                </div>
              )
            }}
          </Await>
        )}
      </DropZone>
      {act && (
        <Late of="acts of pages" load={async () => await import('./acts/page-acts.js')}>
          {({ PageAct }) => (
            <PageAct site={site} act={act} onClose={() => setAct(undefined)} onChanged={pages.reload} />
          )}
        </Late>
      )}
    </>
  )
}

const NONE: readonly Page[] = []
