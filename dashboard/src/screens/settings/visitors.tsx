// Settings about visitors: what they can search and see, the rules of the site, and its page for what is not there. Links to the past too.

import type { ComponentChildren } from 'preact'
import { formatUrl } from '../../format.js'
import { LinkButton } from '../../parts/controls/button.js'
import { SettingBox } from './setting-box.js'
import type { PartProps } from './settings.js'
import { SiteLinks } from './site-links.js'

export function VisitorsPart({ site, update }: PartProps) {
  const root = `/sites/${site.slug}`
  return (
    <>
      <section class="panel">
        <h3>What they can do</h3>
        <Setting
          label="Visitors can search the pages"
          isOn={site.search}
          onToggle={(search) => void update({ search })}
        >
          At <a href={`${site.url}/_search`}>{formatUrl(site.url)}/_search</a>. It finds what is published and nothing
          else.
        </Setting>
        <Setting
          label="Everybody can see the site as it was at each change"
          isOn={site.publicHistory}
          onToggle={(publicHistory) => void update({ publicHistory })}
        >
          What was unpublished stays hidden. Without this, people need a link that you make for them.
        </Setting>
        <Setting
          label="Programs can read pages as Markdown"
          isOn={site.markdown}
          onToggle={(markdown) => void update({ markdown })}
        >
          Each page also answers with <code>.md</code> after its address, and <code>/llms.txt</code> lists them.
          Browsers see no difference.
        </Setting>
        <Setting
          label="Guests with a review link can comment"
          isOn={site.guestComments}
          onToggle={(guestComments) => void update({ guestComments })}
        >
          They have no account, and type a name that nobody checks. Without this, they only look.
        </Setting>
      </section>
      <section class="panel">
        <h3>Rules</h3>
        <p class="hint">Old addresses that lead to new ones, and what the site tells browsers with its pages.</p>
        <div class="bar">
          <LinkButton href={`${root}/files/_redirects`}>Redirects</LinkButton>
          <LinkButton href={`${root}/files/_headers`}>Header fields</LinkButton>
        </div>
      </section>
      <section class="panel">
        <h3>Where nothing is</h3>
        <p class="hint">
          An address without a page shows the file <code>404.html</code> of its folder, or of a folder above. Without
          such a file it shows a plain page. <a href={`${root}/files`}>Upload yours in Files</a>.
        </p>
      </section>
      <SiteLinks site={site} />
    </>
  )
}

interface SettingProps {
  label: string
  isOn: boolean
  onToggle: (isOn: boolean) => void
  children: ComponentChildren
}

function Setting({ label, isOn, onToggle, children }: SettingProps) {
  return (
    <div class="setting">
      <label>
        <SettingBox isOn={isOn} onToggle={onToggle} /> {label}
      </label>
      <p class="hint">{children}</p>
    </div>
  )
}
