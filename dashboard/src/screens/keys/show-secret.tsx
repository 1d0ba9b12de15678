// The dialog that shows a new key, once, with a command that uses it.

import { api, dataOf, type NewKey, type Site } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { Dialog } from '../../parts/dialog.js'
import { Await, Command } from '../../parts/state.js'

export function ShowSecret({ made, onClose }: { made: NewKey; onClose: () => void }) {
  return (
    <Dialog title={`The key “${made.label}”`} onClose={onClose} wide>
      <p>This key is shown only now. Store it where you keep your secrets.</p>
      <Command text={made.key} label="The key" />
      {made.scopes.some((scope) => scope !== 'read') && <FirstUse made={made} />}
    </Dialog>
  )
}

function FirstUse({ made }: { made: NewKey }) {
  const found = useLoaded<Site | undefined>(`site of ${made.id}`, () => findSite(made))
  return (
    <Await of={found}>
      {(site) =>
        site && (
          <>
            <p>This command publishes a page of {site.slug} with it:</p>
            <Command text={commandFor(made, site)} />
          </>
        )
      }
    </Await>
  )
}

/** Returns the default site if the key may write to it; otherwise another one. */
async function findSite({ sites }: NewKey): Promise<Site | undefined> {
  if (sites?.[0] !== undefined) return dataOf(await api.GET('/sites/{id}', { params: { path: { id: sites[0] } } }))
  const all = dataOf(await api.GET('/sites', { params: { query: { limit: 1000 } } }))
  return all.find(({ isDefault }) => isDefault) ?? all[0]
}

function commandFor({ key }: NewKey, { id }: Site): string {
  return `echo '<h1>Hello</h1>' | curl -H "Authorization: Bearer ${key}" -H 'x-service-site-id: ${id}' \\
  -T - '${location.origin}/api/v1/pages?path=/hello'`
}
