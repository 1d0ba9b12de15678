// General settings: the name of the site, its address, whether it is the default site, and facts about it.

import { useState } from 'preact/hooks'
import { api, dataOf, type Site } from '../../api/client.js'
import { asError, useLoaded } from '../../api/use-loaded.js'
import { formatBytes, formatTime, formatUrl, nameOfSite } from '../../format.js'
import { Button } from '../../parts/controls/button.js'
import { CopyButton } from '../../parts/controls/copy-button.js'
import { Field } from '../../parts/controls/field.js'
import { Form } from '../../parts/controls/form.js'
import { Facts } from '../../parts/lists/facts.js'
import { notify } from '../../parts/overlays/notices.js'
import { Allowed, useMay } from '../../parts/rights/allowed.js'
import { Age } from '../../parts/states/age.js'
import { Await } from '../../parts/states/await.js'
import type { PartProps } from './settings.js'

export function GeneralPart({ site, update, onChanged }: PartProps) {
  return (
    <>
      <Allowed to="manage">
        <SiteName site={site} onChanged={onChanged} />
      </Allowed>
      <section class="panel">
        <h3>Address</h3>
        <div class="bar">
          <a href={site.url} target="_blank" rel="noopener noreferrer" class="grow">
            {formatUrl(site.url)}
          </a>
          <CopyButton text={site.url} label="Copy the address" />
        </div>
        <p class="hint">It stays as it is, so that links to the site go on working.</p>
      </section>
      <DefaultSite site={site} onChoose={() => void update({ isDefault: true })} />
      <SiteFacts site={site} />
    </>
  )
}

function SiteName({ site, onChanged }: { site: Site; onChanged: (site: Site) => void }) {
  const [name, setName] = useState(site.name ?? '')
  const [refusal, setRefusal] = useState<string>()
  const save = async () => {
    setRefusal(undefined)
    try {
      const body = { name: name.trim() === '' ? null : name.trim() }
      const changed = dataOf(await api.PATCH('/sites/{id}', { params: { path: { id: site.id } }, body }))
      notify(`The site is called ${nameOfSite(changed)} from now on.`)
      onChanged(changed)
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <section class="panel">
      <Form onSubmit={save}>
        <Field
          label="Name of the site"
          hint={`How people call it here. Without one it is called ${site.slug}, as in its address.`}
          problem={refusal}
          value={name}
          onValue={setName}
        />
        <Button type="submit" kind="main" disabled={name.trim() === (site.name ?? '')}>
          Save the name
        </Button>
      </Form>
    </section>
  )
}

function DefaultSite({ site, onChoose }: { site: Site; onChoose: () => void }) {
  const may = useMay()
  if (!site.isDefault && !may('manage')) return null
  return (
    <section class="panel">
      <h3>Default site</h3>
      {site.isDefault ? (
        <p class="hint">This is the default site. Programs that name no site mean this one.</p>
      ) : (
        <>
          <p class="hint">Programs that name no site mean the default site. That is another one now.</p>
          <Button onClick={onChoose}>Make this the default site</Button>
        </>
      )}
    </section>
  )
}

function SiteFacts({ site }: { site: Site }) {
  const loaded = useLoaded<Site>(`facts ${site.id}`, async (signal) =>
    dataOf(await api.GET('/sites/{id}', { params: { path: { id: site.id } }, signal })),
  )
  return (
    <section class="panel">
      <h3>In figures</h3>
      <Await of={loaded}>
        {({ createdAt, usage }) => (
          <Facts
            facts={[
              ['Made', formatTime(createdAt)],
              ['Last change', usage && <Age of={usage.lastChangeAt} />],
              ['Published pages', usage?.pages],
              ['Storage, history included', usage && formatBytes(usage.storageBytes)],
            ]}
          />
        )}
      </Await>
    </section>
  )
}
