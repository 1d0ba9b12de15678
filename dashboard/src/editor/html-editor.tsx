// The editor of a page's HTML. Images can be pasted, dropped or chosen.

import { useRef } from 'preact/hooks'
import type { Site } from '../api/client.js'
import { useImageUpload } from '../images/use-image-upload.js'
import { Allowed } from '../parts/rights/allowed.js'
import { FileChooser } from '../parts/controls/file-chooser.js'
import { Progress } from '../parts/states/progress.js'
import type { Editor } from './code-mirror.js'
import { CodeEditor } from './editor.js'

interface HtmlEditorProps {
  site: Site
  /** The change request that images go to. */
  request?: string | undefined
  text: string
  /** Each change of it replaces the edited text by `text`. */
  version: number
  onChange: (html: string) => void
}

export function HtmlEditor({ site, request, text, version, onChange }: HtmlEditorProps) {
  const editor = useRef<Editor>(null)
  const { progress, insert, cancel } = useImageUpload(site, request)
  const insertAtCursor = (files: readonly File[]) => {
    const place = editor.current?.place()
    if (place !== undefined) void insert(files, place)
  }
  return (
    <div class="html-editor">
      <CodeEditor
        text={text}
        version={version}
        label="HTML"
        language="html"
        onChange={onChange}
        handle={editor}
        onFiles={(files, place) => void insert(files, place)}
      />
      <Allowed to={request === undefined ? 'write' : 'try'}>
        <div class="bar">
          {progress === undefined ? (
            <>
              <FileChooser label="Insert an image" accept="image/*" onChoose={insertAtCursor} />
              <span class="hint wide-only">or paste or drop it into the text</span>
            </>
          ) : (
            <Progress label="Uploading the image" of={progress} onCancel={cancel} />
          )}
        </div>
      </Allowed>
    </div>
  )
}
