// The editor of one page: as it is live, as the person's draft makes it, or as a change request makes it.

import type { Site } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { readDraft } from '../../browser/drafts.js'
import { useQuery } from '../../browser/router.js'
import { Await } from '../../parts/states/await.js'
import { EditedPage } from './edit/edited-page.js'
import { openDraft, type OpenPage, openPage } from './open-page.js'
import { UnpublishedPage } from './unpublished-page.js'

export function PageEditorScreen({ site, pageId }: { site: Site; pageId: string }) {
  const request = useQuery().get('changeRequest')
  return <OnePage key={request} site={site} pageId={pageId} requestId={request} />
}

interface OnePageProps {
  site: Site
  pageId: string
  requestId: string | null
}

function OnePage({ site, pageId, requestId }: OnePageProps) {
  const opened = useLoaded<OpenPage>(`page ${pageId} in ${requestId}`, async (signal) =>
    requestId === null ? await openPage(site, pageId, signal) : await openDraft(site, pageId, requestId, signal),
  )
  return (
    <Await of={opened}>
      {(data) =>
        data.page.status === 'published' || readDraft(pageId) !== undefined ? (
          <EditedPage site={site} opened={data} onOpened={opened.put} />
        ) : (
          <UnpublishedPage site={site} page={data.page} />
        )
      }
    </Await>
  )
}
