// A button that opens the browser's file chooser.

import { useRef } from 'preact/hooks'

interface FileChooserProps {
  /** The text of the button. */
  label: string
  /** The name of the hidden field, if it differs from the label. */
  fieldLabel?: string
  title?: string
  accept?: string
  /** The kind of choice. Default: several files. */
  kind?: 'file' | 'files' | 'folder'
  onChoose: (files: readonly File[]) => void
}

export function FileChooser({ label, fieldLabel = label, title, accept, kind = 'files', onChoose }: FileChooserProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" title={title} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={fieldLabel}
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
    </>
  )
}
