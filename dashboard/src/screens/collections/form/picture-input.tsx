// A picture of a record: the address of a file of the site, chosen from those that are there, or uploaded.

import { useState } from 'preact/hooks'
import type { Site } from '../../../api/client.js'
import { Button } from '../../../parts/controls/button.js'
import { IconButton } from '../../../parts/controls/icon-button.js'
import type { Shape } from '../fields/field.js'
import { ChoosePicture } from './choose-picture.js'
import type { ControlAttributes } from './plain-input.js'
import { SitePicture } from './site-picture.js'

interface PictureInputProps {
  site: Site
  shape: Extract<Shape, { kind: 'picture' }>
  value: unknown
  onValue: (value: unknown) => void
  attributes: ControlAttributes
}

/** The address can be typed as well: a picture may lie elsewhere. */
export function PictureInput({ site, shape, value, onValue, attributes }: PictureInputProps) {
  const [isChoosing, setChoosing] = useState(false)
  const address = typeof value === 'string' ? value : ''
  const choose = (url: string) => {
    setChoosing(false)
    onValue(shape.isWholeUrl ? url : new URL(url).pathname)
  }
  return (
    <div class="picture-input">
      <SitePicture site={site} address={address} />
      <input
        type="text"
        inputMode="url"
        autocomplete="off"
        placeholder="/img/…"
        {...attributes}
        value={address}
        onInput={({ currentTarget }) => onValue(currentTarget.value === '' ? undefined : currentTarget.value)}
      />
      <Button icon="image" onClick={() => setChoosing(true)}>
        Choose…
      </Button>
      {address !== '' && <IconButton icon="close" label="Remove the picture" onClick={() => onValue(undefined)} />}
      {isChoosing && <ChoosePicture site={site} onClose={() => setChoosing(false)} onChoose={choose} />}
    </div>
  )
}
