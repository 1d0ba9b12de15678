// Settings about git: the clone, who may clone, and the mirror. The tags are in the history.

import { Allowed } from '../../../parts/rights/allowed.js'
import type { PartProps } from '../settings.js'
import { MirrorPanel } from './mirror.js'
import { Repository } from './repository.js'

export function GitPart({ site, update }: PartProps) {
  return (
    <>
      <Repository site={site} onToggle={(publicRepository) => void update({ publicRepository })} />
      <Allowed to="manage">
        <MirrorPanel site={site} />
      </Allowed>
      <section class="panel">
        <h3>Tags</h3>
        <p class="hint">
          Tags that were set with git are at the foot of the <a href={`/sites/${site.slug}/history`}>history</a>.
        </p>
      </section>
    </>
  )
}
