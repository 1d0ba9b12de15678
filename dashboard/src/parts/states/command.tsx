// A command for a shell, or another text to take along, with a button that copies it.

import { CopyButton } from '../controls/copy-button.js'

export function Command({ text, label = 'Command' }: { text: string; label?: string }) {
  return (
    <div class="command">
      {/* A long line scrolls, with the keyboard too. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label === 'Command' ? 'Copy' : `Copy ${lowerFirst(label)}`} />
    </div>
  )
}

/** A name within a label keeps its letters: `command for VS Code`. */
function lowerFirst(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1)
}
