// The accounts at identity providers that sign the person in: add, remove. Shown where the service knows providers.

import { api, dataOf, type Identity, sliceOf } from '../../api/client.js'
import { isProvenFreshly } from '../../api/passkeys.js'
import { readProviders } from '../../api/session.js'
import { useLoaded } from '../../api/use-loaded.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { Age } from '../../parts/states/age.js'
import { Table } from '../../parts/lists/table.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { Await } from '../../parts/states/await.js'
import { SureButton } from '../../parts/controls/sure-button.js'
import { Button } from '../../parts/controls/button.js'

export function Identities() {
  const providers = useLoaded('providers of identities', readProviders)
  const identities = useLoaded<readonly Identity[]>(
    'identities',
    async (signal) => sliceOf(await api.GET('/me/identities', { signal })).entries,
  )
  const known = providers.data?.providers ?? []
  // Somebody may have an account at a provider that the service no longer knows.
  if (known.length + (identities.data?.length ?? 0) === 0) return null
  return (
    <section class="panel">
      <div class="bar">
        <h2 class="grow">Accounts at providers</h2>
        {known.map(({ id, name }) => (
          <AddAccount key={id} provider={id} name={name} />
        ))}
      </div>
      <Await of={identities}>
        {(entries) =>
          entries.length === 0 ? (
            <p class="hint">You have none. An account that you add signs you in from then on.</p>
          ) : (
            <IdentityTable identities={entries} onRemoved={identities.reload} />
          )
        }
      </Await>
    </section>
  )
}

/** Leads through the provider and back. */
function AddAccount({ provider, name }: { provider: string; name: string }) {
  const add = useOneAtATime(async () => {
    try {
      if (await isProvenFreshly()) location.assign(`/session/provider/${provider}?link=1&to=/profile`)
    } catch (error) {
      notifyFailure(error)
    }
  })
  return (
    <Button class="named" onClick={() => void add()}>
      Add an account at {name}
    </Button>
  )
}

function IdentityTable({ identities, onRemoved }: { identities: readonly Identity[]; onRemoved: () => void }) {
  const remove = async (id: string, name: string) => {
    try {
      dataOf(await api.DELETE('/me/identities/{id}', { params: { path: { id } } }))
      notify(`The account at ${name} signs you in no more.`)
      onRemoved()
    } catch (error) {
      notifyFailure(error)
    }
  }
  const rows = identities.map(({ id, issuer, provider, email, lastUsedAt, isBorrowed }) => {
    const name = provider ?? issuer
    return {
      key: id,
      cells: [
        <div class="long-text">{name}</div>,
        <div class="long-text">
          {email ?? 'without an address'}
          {isBorrowed && <p class="hint wrong">from a link of an owner, for that workspace alone: add it again</p>}
        </div>,
        lastUsedAt === null ? 'never' : <Age of={lastUsedAt} />,
      ],
      actions: (
        <SureButton
          label="Remove"
          sureLabel="Remove for good"
          of={`the account at ${name}`}
          onSure={() => void remove(id, name)}
        />
      ),
    }
  })
  return (
    <Table label="Accounts at providers" columns={['Provider', 'Account', 'Last used']} headingAt={0} rows={rows} />
  )
}
