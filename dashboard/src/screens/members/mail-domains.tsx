// The mail domains whose people may join by themselves. Owners see them, where the service knows identity providers.

import { useState } from 'preact/hooks'
import { api, dataOf, type MailDomain, type SignInProviders, sliceOf } from '../../api/client.js'
import { readProviders } from '../../api/session.js'
import { useLoaded } from '../../api/use-loaded.js'
import { MAY } from '../../parts/rights/roles.js'
import { Table } from '../../parts/lists/table.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { Await } from '../../parts/states/await.js'
import { SureButton } from '../../parts/controls/sure-button.js'
import { AddMailDomain } from './add-mail-domain.js'
import type { SiteNames } from '../../api/use-site-names.js'
import { Button } from '../../parts/controls/button.js'

type Providers = SignInProviders['providers']

export function MailDomains({ namesOf }: { namesOf: SiteNames }) {
  const { data } = useLoaded('providers of mail domains', readProviders)
  const [isAdding, setAdding] = useState(false)
  const domains = useLoaded<readonly MailDomain[]>(
    'mail domains',
    async (signal) => sliceOf(await api.GET('/mail-domains', { signal })).entries,
  )
  const added = () => {
    setAdding(false)
    domains.reload()
  }
  if (data === undefined || data.providers.length === 0) return null
  const { providers } = data
  return (
    <>
      <div class="bar part">
        <h2 class="grow">Mail domains</h2>
        <Button onClick={() => setAdding(true)}>Add a domain</Button>
      </div>
      <Await of={domains}>
        {(entries) =>
          entries.length === 0 ? (
            <p class="hint">There are none: people join only by an invitation.</p>
          ) : (
            <DomainTable domains={entries} providers={providers} namesOf={namesOf} onRemoved={domains.reload} />
          )
        }
      </Await>
      {isAdding && <AddMailDomain providers={providers} onClose={() => setAdding(false)} onAdded={added} />}
    </>
  )
}

interface DomainTableProps {
  domains: readonly MailDomain[]
  providers: Providers
  namesOf: SiteNames
  onRemoved: () => void
}

function DomainTable({ domains, providers, namesOf, onRemoved }: DomainTableProps) {
  const remove = async ({ issuer, domain }: MailDomain) => {
    try {
      dataOf(await api.DELETE('/mail-domains', { params: { query: { issuer, domain } } }))
      notify(`Nobody else joins by ${domain}. Those who joined stay members.`)
      onRemoved()
    } catch (error) {
      notifyFailure(error)
    }
  }
  const rows = domains.map((each) => ({
    key: `${each.issuer} ${each.domain}`,
    cells: [
      <div class="long-text">{each.domain}</div>,
      <div class="long-text">{providers.find(({ issuer }) => issuer === each.issuer)?.name ?? each.issuer}</div>,
      <div class="long-text">
        {each.role}
        <div class="hint">{MAY[each.role]}</div>
      </div>,
      <div class="long-text">{namesOf(each.sites)}</div>,
    ],
    actions: <SureButton label="Remove" sureLabel="Remove now" of={each.domain} onSure={() => void remove(each)} />,
  }))
  return <Table label="Mail domains" columns={['Domain', 'Provider', 'Role', 'Sites']} headingAt={0} rows={rows} />
}
