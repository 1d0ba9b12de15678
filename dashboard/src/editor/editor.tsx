// The code editor and the comparison as components. The first one that is shown loads CodeMirror.

import { useEffect, useRef } from 'preact/hooks'
import { notifyFailure } from '../parts/notices.js'
import type { ComparisonOptions, Editor, EditorOptions } from './code-mirror.js'

const load = () => import('./code-mirror.js')

/** `text` is the initial text; each change of `version` replaces the edited text by `text`. */
export function CodeEditor(props: Omit<EditorOptions, 'parent'> & { version: number }) {
  const parent = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    let isGone = false
    load().then(({ createEditor }) => {
      if (isGone || parent.current === null) return
      const { text, label, language } = latest.current
      const onChange = (next: string) => latest.current.onChange(next)
      editor.current = createEditor({ parent: parent.current, text, label, language, onChange })
    }, notifyFailure)
    return () => {
      isGone = true
      editor.current?.destroy()
      editor.current = undefined
    }
  }, [])
  useEffect(() => editor.current?.setText(latest.current.text), [props.version])
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
