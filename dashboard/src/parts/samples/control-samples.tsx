// Buttons, fields and choices on the page of parts.

import { useState } from 'preact/hooks'
import { Button, LinkButton } from '../controls/button.js'
import { CopyButton } from '../controls/copy-button.js'
import { Field } from '../controls/field.js'
import { IconButton } from '../controls/icon-button.js'
import { RadioList } from '../controls/radio-list.js'
import { SearchField } from '../controls/search-field.js'
import { Segmented } from '../controls/segmented.js'
import { Select } from '../controls/select.js'
import { SureButton } from '../controls/sure-button.js'
import { Sample } from './sample.js'

const WIDTHS = ['phone', 'desktop'] as const
const VIEWS = ['side by side', 'inline', 'rendered'] as const
const ROLES = ['viewer', 'editor', 'owner'] as const

export function ControlSamples() {
  return (
    <>
      <Sample of="Button">
        <Button kind="main" icon="add">
          New page
        </Button>
        <Button>Plain</Button>
        <Button kind="quiet">Quiet</Button>
        <Button kind="danger" icon="delete">
          Delete the site
        </Button>
        <Button isSmall>Small</Button>
        <Button kind="main" isBusy>
          Publishing
        </Button>
        <Button disabled>Disabled</Button>
        <LinkButton href="#content" icon="open">
          A link
        </LinkButton>
        <SureButton label="Revoke" sureLabel="Revoke it now" of="the key" onSure={() => undefined} />
        <CopyButton text="text" />
      </Sample>
      <Sample of="IconButton">
        <IconButton icon="more" label="More" />
        <IconButton icon="edit" label="Edit" kind="plain" />
        <IconButton icon="close" label="Close" isSmall />
      </Sample>
      <Choices />
      <Fields />
    </>
  )
}

function Choices() {
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>('phone')
  const [view, setView] = useState<(typeof VIEWS)[number]>('inline')
  const [role, setRole] = useState<(typeof ROLES)[number]>('viewer')
  return (
    <>
      <Sample of="Segmented">
        <Segmented label="View" value={view} from={VIEWS} onChoose={setView} />
        <Segmented
          label="Width"
          isLabelUnseen
          value={width}
          from={WIDTHS}
          onChoose={setWidth}
          iconOf={(each) => each}
        />
      </Sample>
      <Sample of="Select">
        <Select label="Role" value={role} from={ROLES} onChoose={setRole} />
      </Sample>
      <Sample of="RadioList">
        <RadioList
          label="What may the person do?"
          value={role}
          from={ROLES}
          onChoose={setRole}
          labelOf={(each) => `${each}: some words about it`}
        />
      </Sample>
    </>
  )
}

function Fields() {
  const [text, setText] = useState('')
  return (
    <Sample of="Field">
      <Field label="Name" hint="People see it." value={text} onValue={setText} placeholder="Spring fair" />
      <Field label="Address" problem="This address is taken." value="spring fair" onValue={() => undefined} />
      <SearchField label="Search the pages" value={text} onValue={setText} />
    </Sample>
  )
}
