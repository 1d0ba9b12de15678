// The facts for programs: the address of the API, the ids that people never need, and the limits of the workspace.

import { formatTime } from '../../format.js'
import { LinkButton } from '../../parts/controls/button.js'
import { Facts } from '../../parts/lists/facts.js'
import { Command } from '../../parts/states/command.js'
import type { PartProps } from './settings.js'
import { WorkspaceUsage } from './workspace-usage.js'

export function ProgramsPart({ site, me: { workspace } }: PartProps) {
  return (
    <>
      <section class="panel">
        <h3>API</h3>
        <Command text={`${location.origin}/api/v1`} label="The address" />
        <p class="hint">
          A program sends an API key, and names this site in the field <code>x-service-site-id</code>.
        </p>
        <Command text={`x-service-site-id: ${site.id}`} label="The field" />
        <div class="bar">
          <LinkButton href="/keys" icon="key">
            API keys
          </LinkButton>
          <LinkButton href="/docs" icon="open" target="_blank" rel="noopener">
            API reference
          </LinkButton>
        </div>
      </section>
      <section class="panel">
        <h3>Ids</h3>
        <Facts
          facts={[
            ['Slug of the site', <code>{site.slug}</code>],
            ['Id of the site', <code>{site.id}</code>],
            ['Workspace', workspace.name],
            ['Id of the workspace', <code>{workspace.id}</code>],
            ['Workspace made', formatTime(workspace.createdAt)],
          ]}
        />
      </section>
      <WorkspaceUsage />
    </>
  )
}
