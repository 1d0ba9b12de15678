// The address of a new page in grey below its title, with a field to change it.

import { useState } from 'preact/hooks'
import type { Site } from '../../../api/client.js'
import type { NewPageDraft } from '../../../browser/drafts.js'
import { formatUrl } from '../../../format.js'
import { Button } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import type { Address } from './use-address.js'

interface AddressLineProps {
  site: Site
  draft: NewPageDraft
  address: Address
  onChange: (path: string) => void
}

export function AddressLine({ site, draft, address: { path, taken }, onChange }: AddressLineProps) {
  const [isEdited, setEdited] = useState(draft.path !== '')
  const shown = <bdi>{formatUrl(site.url) + path}</bdi>
  const there = taken && (
    <a href={`/sites/${site.slug}/pages/${taken.id}`}>
      {taken.title === null || taken.title === '' ? taken.path : taken.title}
    </a>
  )
  if (!isEdited)
    return (
      <p class="address hint">
        <span>
          Address: {shown}
          {there !== undefined && (
            <>
              , as {taken?.path} is taken by {there}
            </>
          )}
        </span>
        <Button
          kind="quiet"
          isSmall
          onClick={() => {
            setEdited(true)
            onChange(path)
          }}
        >
          Change
        </Button>
      </p>
    )
  return (
    <Field
      label="Address"
      hint={
        there === undefined ? (
          <>Visitors will find it at {shown}</>
        ) : (
          <>A page is there already: {there}. Edit that one, or choose another address.</>
        )
      }
      value={draft.path}
      onValue={onChange}
      autofocus
    />
  )
}
