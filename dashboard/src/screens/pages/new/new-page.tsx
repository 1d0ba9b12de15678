// A new page: its title, its address, and a start. It begins as a draft, which is not live.

import { useState } from 'preact/hooks'
import type { Site } from '../../../api/client.js'
import { asError } from '../../../api/use-loaded.js'
import { navigate } from '../../../browser/router.js'
import { useShortcuts } from '../../../browser/shortcuts.js'
import { useTitle } from '../../../browser/title.js'
import { useOneAtATime } from '../../../browser/use-one-at-a-time.js'
import { nameOfSite } from '../../../format.js'
import { Button, LinkButton } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import { Form } from '../../../parts/controls/form.js'
import { Refusal } from '../../../parts/states/refusal.js'
import { createDraft } from './create-draft.js'
import { AddressLine } from './new-page-address.js'
import { NewPageStarts } from './new-page-starts.js'
import { useAddress } from './use-address.js'
import { useNewPageDraft } from './use-new-page-draft.js'

export function NewPageScreen({ site }: { site: Site }) {
  const { draft, isBegun, change, settle, discard } = useNewPageDraft(site)
  const [refusal, setRefusal] = useState<string>()
  const address = useAddress(site, draft)
  useTitle('New page', nameOfSite(site))
  const create = useOneAtATime(async () => {
    setRefusal(undefined)
    try {
      const path = await createDraft(site, { ...draft, path: address.path })
      settle()
      navigate(path)
    } catch (error) {
      setRefusal(asError(error).message)
    }
  })
  useShortcuts({ 'mod+s': () => void create() })
  return (
    <Form class="stack new-page" onSubmit={create}>
      <Field
        label="Title"
        value={draft.title}
        onValue={(title) => change({ title })}
        autofocus
        placeholder="Our spring fair"
      />
      <AddressLine site={site} draft={draft} address={address} onChange={(path) => change({ path })} />
      <NewPageStarts site={site} draft={draft} onChoose={(from) => change({ from })} />
      <Refusal of={refusal} />
      <div class="bar">
        <Button type="submit" kind="main">
          Create
        </Button>
        {isBegun && <Button onClick={discard}>Discard</Button>}
        <LinkButton kind="quiet" href={`/sites/${site.slug}`}>
          Cancel
        </LinkButton>
        <span class="hint">It begins as a draft: nobody sees it before you publish it.</span>
      </div>
    </Form>
  )
}
