// Shows the state of another program's work on standard error: one line that changes on a terminal, a line for each change elsewhere.

import { printable } from './printable.js'

export interface Status {
  /** Shows the state. `step` is for scripts; `detail` changes all the time, and is for people who watch. */
  show(step: string, detail?: string): void
  /** Ends the status, so that further output stands on a line of its own. */
  close(): void
}

const CLEAR_LINE = '\r\u001b[2K'
/** Width of a terminal that does not report one. */
const DEFAULT_COLUMNS = 80

export function startStatus(): Status {
  const { stderr } = process
  let shown = ''
  if (!stderr.isTTY)
    return {
      show(step) {
        if (step !== shown) console.error(step)
        shown = step
      },
      close: () => undefined,
    }
  return {
    show(step, detail = '') {
      const line = printable(detail === '' ? step : `${step}: ${detail}`, stderr).replaceAll('\n', ' ')
      stderr.write(`${CLEAR_LINE}${line.slice(0, (stderr.columns || DEFAULT_COLUMNS) - 1)}`)
    },
    close: () => stderr.write(CLEAR_LINE),
  }
}
