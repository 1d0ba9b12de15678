// The editor of one page: as it is live, or as a change request makes it.

import type { ChangeRequest, Page, Site } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { navigate, useQuery } from '../../browser/router.js'
import { Await } from '../../parts/states/await.js'
import { DraftPage } from './edit/draft-page.js'
import { PublishedPage } from './edit/published-page.js'
import { openPage } from './open-page.js'
import { openRequest } from './open-request.js'
import { UnpublishedPage } from './unpublished-page.js'

export function PageEditorScreen({ site, pageId }: { site: Site; pageId: string }) {
  const request = useQuery().get('changeRequest')
  if (request !== null) return <PageOfRequest key={request} site={site} pageId={pageId} requestId={request} />
  return <LivePage site={site} pageId={pageId} />
}

function LivePage({ site, pageId }: { site: Site; pageId: string }) {
  const page = useLoaded<Page>(`page ${pageId}`, (signal) => openPage(site, pageId, signal))
  return (
    <Await of={page}>
      {(data) =>
        data.status === 'published' ? (
          <PublishedPage site={site} page={data} onChanged={page.put} />
        ) : (
          <UnpublishedPage site={site} page={data} onChanged={page.put} />
        )
      }
    </Await>
  )
}

interface PageOfRequestProps {
  site: Site
  pageId: string
  requestId: string
}

function PageOfRequest({ site, pageId, requestId }: PageOfRequestProps) {
  const page = useLoaded<Page>(`page ${pageId} in ${requestId}`, (signal) => openPage(site, pageId, signal, requestId))
  const request = useLoaded<ChangeRequest>(`request ${requestId}`, async (signal) => {
    const found = await openRequest(requestId, signal)
    // A request that was published or closed is no draft any more.
    if (found.closedAt !== null) navigate(`/sites/${site.slug}/pages/${pageId}`, { replace: true })
    return found
  })
  return (
    <Await of={request}>
      {(ofRequest) => (
        <Await of={page}>
          {(data) => (
            <DraftPage
              site={site}
              page={data}
              request={ofRequest}
              onChanged={page.put}
              onRequestChanged={request.put}
            />
          )}
        </Await>
      )}
    </Await>
  )
}
