// The history of a page by day: people compare its versions, open one, or go back to one.

import { useState } from 'preact/hooks'
import { type Page, type Site, siteApi, type Version } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useLoaded } from '../../api/use-loaded.js'
import { useQuery } from '../../browser/router.js'
import { useTitle } from '../../browser/title.js'
import { LinkButton } from '../../parts/controls/button.js'
import { Await, AwaitList } from '../../parts/states/await.js'
import { readPage } from '../page/read-page.js'
import { CompareVersions } from './compare-versions.js'
import { GoBack } from './go-back.js'
import { VersionList } from './version-list.js'

interface PageHistoryScreenProps {
  site: Site
  pageId: string
}

export function PageHistoryScreen({ site, pageId }: PageHistoryScreenProps) {
  const page = useLoaded<Page>(`page of the history ${pageId}`, (signal) => readPage(site, pageId, signal))
  const versions = useList<Version>(`versions ${pageId}`, (cursor, signal) => {
    const params = { path: { id: pageId }, query: { limit: 100, ...cursor } }
    return siteApi(site).GET('/pages/{id}/versions', { params, signal })
  })
  const reload = () => {
    page.reload()
    versions.reload()
  }
  return (
    <Await of={page}>{(data) => <PageHistory site={site} page={data} versions={versions} onChanged={reload} />}</Await>
  )
}

interface PageHistoryProps {
  site: Site
  page: Page
  versions: ReturnType<typeof useList<Version>>
  onChanged: () => void
}

function PageHistory({ site, page, versions, onChanged }: PageHistoryProps) {
  const [target, setTarget] = useState<Version>()
  const query = useQuery()
  const from = Number(query.get('from'))
  const to = Number(query.get('to'))
  useTitle(`History of ${page.path}`, site.slug)
  const wentBack = () => {
    setTarget(undefined)
    onChanged()
  }
  return (
    <>
      <div class="bar">
        <h2 class="grow">
          History of <bdi>{page.title || page.path}</bdi>
        </h2>
        {page.status === 'published' && (
          <LinkButton href={`/sites/${site.slug}/pages/${page.id}`} icon="edit">
            Edit
          </LinkButton>
        )}
      </div>
      {query.has('from') && to > 0 && from !== to && (
        <CompareVersions site={site} page={page} from={Math.min(from, to)} to={Math.max(from, to)} />
      )}
      <AwaitList of={versions} moreLabel="Older versions" empty={null}>
        {(entries) => <VersionList site={site} page={page} versions={entries} onGoBack={setTarget} />}
      </AwaitList>
      {target && (
        <GoBack site={site} page={page} version={target} onClose={() => setTarget(undefined)} onDone={wentBack} />
      )}
    </>
  )
}
