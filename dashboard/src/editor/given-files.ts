// Takes files that are pasted or dropped into an editor.

import { EditorView } from '@codemirror/view'
import type { Place, Places } from './places.js'

export type OnFiles = (files: readonly File[], place: Place) => void

/** Calls `onFiles` instead of the editor's own handler, which inserts the text of dropped files. */
export function takeFiles(places: Places, onFiles: OnFiles) {
  return EditorView.domEventHandlers({
    paste(event, view) {
      // Word processors and spreadsheets add a picture of the copied text.
      if (event.clipboardData?.types.includes('text/plain') === true) return false
      return take(event, event.clipboardData, () => places.mark(view))
    },
    drop(event, view) {
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? undefined
      return take(event, event.dataTransfer, () => places.mark(view, at))
    },
  })

  function take(event: Event, given: DataTransfer | null, mark: () => Place): boolean {
    const files = [...(given?.files ?? [])]
    if (files.every(({ type }) => type.startsWith('text/'))) return false
    event.preventDefault()
    onFiles(files, mark())
    return true
  }
}
