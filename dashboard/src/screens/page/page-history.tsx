// The versions of a page: people can compare two of them, open one, or roll back to one.

import { useState } from 'preact/hooks'
import { type Page, type Site, siteApi, type Version } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useLoaded } from '../../api/use-loaded.js'
import { useQuery } from '../../browser/router.js'
import { useTitle } from '../../browser/title.js'
import { Await, AwaitList } from '../../parts/state.js'
import { CompareVersions } from './compare-versions.js'
import { readPage } from './read-page.js'
import { RollBack } from './roll-back.js'
import { VersionTable } from './version-table.js'

interface PageHistoryScreenProps {
  site: Site
  pageId: string
}

export function PageHistoryScreen({ site, pageId }: PageHistoryScreenProps) {
  const page = useLoaded<Page>(`page of the history ${pageId}`, (signal) => readPage(site, pageId, signal))
  return <Await of={page}>{(data) => <PageHistory site={site} page={data} onChanged={page.reload} />}</Await>
}

interface PageHistoryProps {
  site: Site
  page: Page
  onChanged: () => void
}

function PageHistory({ site, page, onChanged }: PageHistoryProps) {
  const [target, setTarget] = useState<Version>()
  const versions = useList<Version>(`versions ${page.id}`, (cursor, signal) => {
    const params = { path: { id: page.id }, query: { limit: 100, ...cursor } }
    return siteApi(site).GET('/pages/{id}/versions', { params, signal })
  })
  const query = useQuery()
  const from = Number(query.get('from'))
  const to = Number(query.get('to'))
  useTitle(`History of ${page.path}`, site.slug)
  const rolledBack = () => {
    setTarget(undefined)
    onChanged()
    versions.reload()
  }
  return (
    <>
      <div class="bar">
        <h2 class="grow">History of {page.path}</h2>
        {page.status === 'published' && (
          <a class="button" href={`/sites/${site.slug}/pages/${page.id}`}>
            Edit
          </a>
        )}
      </div>
      {query.has('from') && to > 0 && from !== to && (
        <CompareVersions site={site} page={page} from={Math.min(from, to)} to={Math.max(from, to)} />
      )}
      <AwaitList of={versions} moreLabel="Older versions" empty={null}>
        {(entries) => (
          <VersionTable site={site} page={page} versions={entries} from={from} to={to} onRollBack={setTarget} />
        )}
      </AwaitList>
      {target && (
        <RollBack site={site} page={page} version={target} onClose={() => setTarget(undefined)} onDone={rolledBack} />
      )}
    </>
  )
}
