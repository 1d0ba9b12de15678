// The accounts at identity providers that sign the person in. Shown where the service knows providers.

import { useLoaded } from '../../api/use-loaded.js'
import { Age } from '../../parts/age.js'
import { DataTable } from '../../parts/data-table.js'

interface Identity {
  id: string
  issuer: string
  /** Its name for people, if the service still knows it. */
  provider: string | null
  email: string | null
  lastUsedAt: string | null
}

export function Identities() {
  const { data = [] } = useLoaded<readonly Identity[]>('identities', readIdentities)
  if (data.length === 0) return null
  const rows = data.map(({ id, issuer, provider, email, lastUsedAt }) => ({
    key: id,
    cells: [
      <div class="long-text">{provider ?? issuer}</div>,
      <div class="long-text">{email ?? 'without an address'}</div>,
      lastUsedAt === null ? 'never' : <Age of={lastUsedAt} />,
    ],
  }))
  return (
    <section class="panel">
      <h2>Accounts at providers</h2>
      <DataTable
        label="Accounts at providers"
        columns={['Provider', 'Account', 'Last used']}
        headingAt={0}
        rows={rows}
      />
    </section>
  )
}

async function readIdentities(signal: AbortSignal): Promise<readonly Identity[]> {
  const response = await fetch('/api/v1/me/identities', { signal })
  return response.ok ? ((await response.json()) as { data: Identity[] }).data : []
}
