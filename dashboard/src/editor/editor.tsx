// The code editor and the comparison as components. The first one that is shown loads CodeMirror.

import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { notifyFailure } from '../parts/overlays/notices.js'
import type { ComparisonOptions, Editor, EditorOptions } from './code-mirror.js'
import type { LineMark } from './marked-lines.js'

/** Rejects with an error for people. After an update of the service, an open page may name files that no longer exist. */
const load = () =>
  import('./code-mirror.js').catch((cause: unknown) => {
    throw new Error('The editor cannot be loaded. Reload the page: what you wrote is kept.', { cause })
  })

interface CodeEditorProps extends Omit<EditorOptions, 'parent'> {
  /** Each change of it replaces the edited text by `text`. */
  version: number
  marks?: readonly LineMark[]
  /** Holds the editor once it is loaded. */
  handle?: RefObject<Editor | null>
}

/** `text` is the initial text. */
export function CodeEditor(props: CodeEditorProps) {
  const { version, marks } = props
  const parent = useRef<HTMLDivElement>(null)
  const own = useRef<Editor>(null)
  const editor = props.handle ?? own
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    let isGone = false
    load().then(({ createEditor }) => {
      if (isGone || parent.current === null) return
      const { text, label, language, onFiles } = latest.current
      editor.current = createEditor({
        parent: parent.current,
        text,
        label,
        language,
        onChange: (next) => latest.current.onChange(next),
        onFiles: onFiles && ((files, place) => latest.current.onFiles?.(files, place)),
      })
      editor.current.markLines(latest.current.marks)
    }, notifyFailure)
    return () => {
      isGone = true
      editor.current?.destroy()
      editor.current = null
    }
  }, [])
  useEffect(() => editor.current?.setText(latest.current.text), [version])
  useEffect(() => editor.current?.markLines(marks), [marks])
  return <div ref={parent} class="editor" />
}

export function Comparison({ before, after, layout }: Omit<ComparisonOptions, 'parent'>) {
  const parent = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let remove: (() => void) | undefined
    let isGone = false
    load().then(({ createComparison }) => {
      if (!isGone && parent.current !== null) {
        remove = createComparison({ parent: parent.current, before, after, layout })
      }
    }, notifyFailure)
    return () => {
      isGone = true
      remove?.()
    }
  }, [before, after, layout])
  return <div ref={parent} class="comparison" />
}
