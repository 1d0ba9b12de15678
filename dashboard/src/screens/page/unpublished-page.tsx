// A page that visitors no longer see: a link to its versions. A draft of it is opened in the editor instead.

import type { Page, Site } from '../../api/client.js'
import { useTitle } from '../../browser/title.js'
import { nameOfSite } from '../../format.js'
import { LinkButton } from '../../parts/controls/button.js'
import { PathText } from '../../parts/states/path-text.js'

interface UnpublishedPageProps {
  site: Site
  page: Page
}

export function UnpublishedPage({ site, page }: UnpublishedPageProps) {
  useTitle(page.path, nameOfSite(site))
  return (
    <div class="panel empty">
      <h2>
        <PathText of={page.path} /> is unpublished
      </h2>
      <p>
        Visitors no longer see it. Go back to one of its versions to publish it again: its address and its history stay.
      </p>
      <LinkButton kind="main" href={`/sites/${site.slug}/pages/${page.id}/history`}>
        History
      </LinkButton>
    </div>
  )
}
