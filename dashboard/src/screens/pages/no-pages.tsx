// A site without pages: the ways to the first one.

import type { Site } from '../../api/client.js'
import { LinkButton } from '../../parts/controls/button.js'
import { FileChooser } from '../../parts/controls/file-chooser.js'
import { useMay } from '../../parts/rights/allowed.js'
import { Disclosure } from '../../parts/states/disclosure.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { Command } from '../../parts/states/command.js'
import type { Status } from './view.js'

interface NoPagesProps {
  site: Site
  status: Status
  onFolder: (files: readonly File[]) => void
}

export function NoPages({ site, status, onFolder }: NoPagesProps) {
  const may = useMay()
  if (status === 'unpublished') return <EmptyState title="No unpublished pages" />
  const command = `echo '<h1>Hello</h1>' | curl -H "Authorization: Bearer $KEY" -H 'x-service-site-id: ${site.id}' \\
  -T - '${location.origin}/api/v1/pages?path=/hello'`
  if (!may('write')) return <EmptyState title="No pages yet" />
  return (
    <EmptyState title="No pages yet" icon="page">
      <p>Write the first page here, or drop a folder with a site that is finished.</p>
      <div class="bar centered">
        <LinkButton kind="main" icon="edit" href={`/sites/${site.slug}/new`}>
          Write a page
        </LinkButton>
        <FileChooser label="Drop or choose a folder" kind="folder" onChoose={onFolder} />
      </div>
      <Disclosure title="From a shell">
        <Command text={command} />
      </Disclosure>
    </EmptyState>
  )
}
