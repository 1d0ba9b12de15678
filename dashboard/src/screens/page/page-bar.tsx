// The head of the editor: the name of the page, a link to its history, and unpublishing.

import { useState } from 'preact/hooks'
import { dataOf, type Page, type Site, siteApi } from '../../api/client.js'
import { navigate } from '../../browser/router.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { formatBytes } from '../../format.js'
import { Age } from '../../parts/age.js'
import { Allowed } from '../../parts/allowed.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import { EditTitle } from './edit-title.js'

interface PageBarProps {
  site: Site
  page: Page
  onRetitled: (page: Page) => void
}

export function PageBar({ site, page, onRetitled }: PageBarProps) {
  const [isTitleEdited, setTitleEdited] = useState(false)
  const takeDown = useOneAtATime(() => unpublish(site, page))
  return (
    <div class="bar">
      <h2>
        <a href={page.url} target="_blank" rel="noopener noreferrer">
          {page.path} ↗
        </a>
      </h2>
      <span class="hint grow">
        {page.title !== null && `${page.title} · `}version {page.version.number} · {formatBytes(page.size)} ·{' '}
        <Age of={page.updatedAt} />
      </span>
      <Allowed to="write">
        <button type="button" onClick={() => setTitleEdited(true)}>
          Title
        </button>
      </Allowed>
      <a class="button" href={`/sites/${site.slug}/pages/${page.id}/history`}>
        History
      </a>
      <Allowed to="write">
        <button type="button" onClick={() => void takeDown()}>
          Unpublish
        </button>
      </Allowed>
      {isTitleEdited && (
        <EditTitle site={site} page={page} onClose={() => setTitleEdited(false)} onChanged={onRetitled} />
      )}
    </div>
  )
}

async function unpublish(site: Site, page: Page): Promise<void> {
  try {
    const params = { path: { id: page.id }, header: { 'If-Match': page.etag } }
    dataOf(await siteApi(site).DELETE('/pages/{id}', { params }))
    notify(`${page.path} is unpublished.`, { label: 'Undo', run: () => void restore(site, page) })
    navigate(`/sites/${site.slug}`)
  } catch (error) {
    notifyFailure(error)
  }
}

/** Publishes the unpublished version again. */
async function restore(site: Site, page: Page): Promise<void> {
  try {
    const params = { path: { id: page.id } }
    dataOf(await siteApi(site).POST('/pages/{id}/rollback', { params, body: { version: page.version.number } }))
    notify(`${page.path} is live again.`)
    navigate(`/sites/${site.slug}/pages/${page.id}`)
  } catch (error) {
    notifyFailure(error)
  }
}
