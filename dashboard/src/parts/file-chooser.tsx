// A button that opens the browser's chooser of files.

import { useRef } from 'preact/hooks'

interface FileChooserProps {
  /** The text of the button. */
  label: string
  /** The name of the field behind it, where it is not the label. */
  fieldLabel?: string
  title?: string
  accept?: string
  /** What may be chosen. Default: several files. */
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
          // The same file can be chosen again.
          currentTarget.value = ''
          if (files.length > 0) onChoose(files)
        }}
      />
    </>
  )
}
