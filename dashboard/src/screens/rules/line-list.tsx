// Lines of a rules file, each with a message.

import { formatCount } from '../../format.js'

/** Further lines are shown once the first ones are fixed. */
const MAX_SHOWN = 50

interface LineListProps {
  title: string
  lines: readonly { line: number; message: string }[]
  onShow: (line: number) => void
}

export function LineList({ title, lines, onShow }: LineListProps) {
  return (
    <section class="panel" aria-label={title} hidden={lines.length === 0}>
      <h3>{title}</h3>
      <ul class="findings">
        {lines.slice(0, MAX_SHOWN).map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            <button type="button" class="link" onClick={() => onShow(line)}>
              Line {line}
            </button>
            <p>{message}</p>
          </li>
        ))}
      </ul>
      {lines.length > MAX_SHOWN && <p class="hint">and {formatCount(lines.length - MAX_SHOWN, 'more line')}</p>}
    </section>
  )
}
