// The history of a page by day: people compare its versions, open one, or go back to one.

import { useState } from 'preact/hooks'
import { type Page, type Site, siteApi, type Version } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useLoaded } from '../../api/use-loaded.js'
import { useQuery } from '../../browser/router.js'
import { useTitle } from '../../browser/title.js'
import { nameOfSite } from '../../format.js'
import { LinkButton } from '../../parts/controls/button.js'
import { Await, AwaitList } from '../../parts/states/await.js'
import { takePage } from '../page/named-page.js'
import { CompareVersions } from './compare-versions.js'
import { GoBack } from './go-back.js'
import { comparedBy, listKey, readVersions } from './read-versions.js'
import { VersionList } from './version-list.js'

interface PageHistoryScreenProps {
  site: Site
  pageId: string
}

export function PageHistoryScreen({ site, pageId }: PageHistoryScreenProps) {
  const page = useLoaded<Page>(`page of the history ${pageId}`, (signal) => takePage(site, pageId, signal))
  const versions = useList<Version>(listKey(pageId), (cursor, signal) =>
    readVersions(siteApi(site), pageId, cursor, signal),
  )
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
  const compared = comparedBy(useQuery())
  useTitle(`History of ${page.path}`, nameOfSite(site))
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
      {compared && <CompareVersions site={site} page={page} {...compared} />}
      <AwaitList of={versions} moreLabel="Older versions" empty={null}>
        {(entries) => <VersionList site={site} page={page} versions={entries} onGoBack={setTarget} />}
      </AwaitList>
      {target && (
        <GoBack site={site} page={page} version={target} onClose={() => setTarget(undefined)} onDone={wentBack} />
      )}
    </>
  )
}
