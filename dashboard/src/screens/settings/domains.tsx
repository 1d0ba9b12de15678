// The host of the site. The service has no domains of sites yet; their settings will be here.

import { formatUrl } from '../../format.js'
import { Facts } from '../../parts/lists/facts.js'
import type { PartProps } from './settings.js'

export function DomainsPart({ site }: PartProps) {
  return (
    <section class="panel">
      <Facts facts={[['Visitors find it at', <a href={site.url}>{formatUrl(site.url)}</a>]]} />
      <p class="hint">
        That is its only address. A site cannot have a domain of its own yet: the operator of the service chooses the
        domain under which all sites are.
      </p>
    </section>
  )
}
