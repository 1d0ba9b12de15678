// The protection of a site: who publishes, who approves, and which keys publish all the same. Only owners change it.

import { api, dataOf, type Me, type Protection, type Site } from '../../../api/client.js'
import { useLoaded } from '../../../api/use-loaded.js'
import { Await } from '../../../parts/states/await.js'
import { isOwner } from '../../members/role-choice.js'
import type { PartProps } from '../settings.js'
import { ProtectionForm } from './protection-form.js'
import { PUBLISHING } from './words.js'

export function ProtectionPart({ site, me, onChanged }: PartProps) {
  if (!mayProtect(me))
    return (
      <section class="panel">
        <p>{PUBLISHING[site.protection].sentence}</p>
        <p class="hint">An owner who is signed in can change this.</p>
      </section>
    )
  return <OwnersPart site={site} onChanged={onChanged} />
}

/** A session that a link of an owner opened changes no protection. */
function mayProtect(me: Me): boolean {
  return me.person !== null && isOwner(me) && !me.isBorrowed
}

function OwnersPart({ site, onChanged }: { site: Site; onChanged: (site: Site) => void }) {
  const loaded = useLoaded<Protection>(`protection of ${site.id}`, async (signal) =>
    dataOf(await api.GET('/sites/{id}/protection', { params: { path: { id: site.id } }, signal })),
  )
  return (
    <Await of={loaded}>
      {(protection) => (
        <ProtectionForm
          key={JSON.stringify(protection)}
          site={site}
          protection={protection}
          onSaved={(saved) => {
            loaded.put(saved)
            onChanged({ ...site, protection: saved.protection })
          }}
        />
      )}
    </Await>
  )
}
