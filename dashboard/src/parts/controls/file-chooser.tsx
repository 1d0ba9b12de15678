// A button that opens the browser's file chooser, and the hidden field behind it.

import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { Button } from '../controls/button.js'

interface ChoiceOfFiles {
  accept?: string
  /** The kind of choice. Default: several files. */
  kind?: 'file' | 'files' | 'folder'
  onChoose: (files: readonly File[]) => void
}

interface FileChooserProps extends ChoiceOfFiles {
  /** The text of the button. */
  label: string
  /** The name of the hidden field, if it differs from the label. */
  fieldLabel?: string
  title?: string
}

export function FileChooser({ label, fieldLabel = label, title, ...choice }: FileChooserProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button title={title} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <FileInput input={input} label={fieldLabel} {...choice} />
    </>
  )
}

interface FileInputProps extends ChoiceOfFiles {
  input: RefObject<HTMLInputElement | null>
  label: string
}

/** The hidden field. A click on it opens the chooser: for a button or an item of a menu. */
export function FileInput({ input, label, accept, kind = 'files', onChoose }: FileInputProps) {
  return (
    <input
      ref={input}
      type="file"
      hidden
      aria-label={label}
      accept={accept}
      multiple={kind !== 'file'}
      {...(kind === 'folder' && { webkitdirectory: true })}
      onChange={({ currentTarget }) => {
        const files = [...(currentTarget.files ?? [])]
        // Allows choosing the same file again.
        currentTarget.value = ''
        if (files.length > 0) onChoose(files)
      }}
    />
  )
}
