// The search over everything, opened by Control or Command with K. The field is there at once: a person types on while the list is loaded.

import { useRef, useState } from 'preact/hooks'
import type { Me } from '../api/client.js'
import { Icon } from '../parts/icons.js'
import { Dialog } from '../parts/overlays/dialog.js'
import { Late } from '../parts/states/late.js'

interface PaletteDialogProps {
  me: Me
  /** The path of the shown screen. */
  path: string
  onHelp: () => void
  onClose: () => void
}

export function PaletteDialog({ me, path, onHelp, onClose }: PaletteDialogProps) {
  const [words, setWords] = useState('')
  const [active, setActive] = useState<string>()
  const keys = useRef<(event: KeyboardEvent) => void>(() => undefined)
  const onKey = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      onClose()
    } else keys.current(event)
  }
  return (
    <Dialog
      title="Search"
      onClose={onClose}
      head={
        <label class="grow search palette-field">
          <span class="unseen">Find a site, a page, a person or what to do</span>
          <Icon name="search" />
          <input
            type="text"
            role="combobox"
            aria-expanded="true"
            aria-controls="palette"
            aria-autocomplete="list"
            aria-activedescendant={active}
            autocomplete="off"
            spellcheck={false}
            autofocus
            placeholder="Find anything"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
            onKeyDown={onKey}
          />
        </label>
      }
    >
      <div class="palette">
        <Late of="palette" load={async () => await import('../palette/palette.js')}>
          {({ Palette }) => (
            <Palette
              me={me}
              path={path}
              words={words}
              keys={keys}
              onActive={setActive}
              onHelp={onHelp}
              onClose={onClose}
            />
          )}
        </Late>
      </div>
    </Dialog>
  )
}
