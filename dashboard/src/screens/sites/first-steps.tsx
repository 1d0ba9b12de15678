// The first things to do where there is nothing yet: write a page, drop a folder, connect an agent. A role sees what it may do.

import { useContext } from 'preact/hooks'
import type { Site } from '../../api/client.js'
import { navigate } from '../../browser/router.js'
import { Button, LinkButton } from '../../parts/controls/button.js'
import { Icon } from '../../parts/icons.js'
import { Person, useMay } from '../../parts/rights/allowed.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { DropSite } from './drop-site.js'

interface FirstStepsProps {
  /** The only site; undefined where there is none. */
  site: Site | undefined
  /** Lets the person make a site. Returns undefined if the person gave up. */
  makeSite: () => Promise<Site | undefined>
}

export function FirstSteps({ site, makeSite }: FirstStepsProps) {
  const may = useMay()
  const me = useContext(Person)
  const mayWrite = site === undefined ? may('make sites') : may('write')
  const siteFor = async () => site ?? (await makeSite())
  const write = async () => {
    const found = await siteFor()
    if (found !== undefined) navigate(`/sites/${found.slug}/new`)
  }
  if (site === undefined && !mayWrite)
    return (
      <EmptyState title="No sites yet">
        <p>An admin of the workspace makes sites, or gives you a role for one.</p>
      </EmptyState>
    )
  return (
    <section class="first-steps" aria-label="First steps">
      {mayWrite && (
        <div class="first-step panel">
          <Icon name="edit" />
          <h2>Write a page</h2>
          <p>Give it a title, write, and publish. It is live at once.</p>
          <Button kind="main" onClick={() => void write()}>
            Write a page
          </Button>
        </div>
      )}
      {mayWrite && <DropSite siteFor={siteFor} onPublished={({ slug }) => navigate(`/sites/${slug}`)} />}
      {me?.person != null && (
        <div class="first-step panel">
          <Icon name="agent" />
          <h2>Connect an agent</h2>
          <p>Claude, ChatGPT, Cursor or VS Code reads or writes pages for you, as far as you allow.</p>
          <LinkButton href="/agents">Connect an agent</LinkButton>
        </div>
      )}
    </section>
  )
}
