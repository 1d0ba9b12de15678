// The editor of `_redirects` or `_headers`: the text with marked wrong lines, next to the answer that the site would give.

import { useMemo, useRef, useState } from 'preact/hooks'
import type { Site } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import type { Editor } from '../../editor/code-mirror.js'
import { CodeEditor, Comparison } from '../../editor/editor.js'
import { useMay } from '../../parts/rights/allowed.js'
import { Await } from '../../parts/states/await.js'
import { type PublishedRules, readRules, type RulesFile } from './published-rules.js'
import { RulesBar } from './rules-bar.js'
import { TryBox } from './try-box.js'
import { type RulesDraft, useRulesDraft } from './use-rules-draft.js'
import { tryPublished, useTriedRules } from './use-tried-rules.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { formatCount, nameOfSite } from '../../format.js'
import { Button } from '../../parts/controls/button.js'

export function RulesScreen({ site, file }: { site: Site; file: RulesFile }) {
  useState(() => tryPublished(site))
  const rules = useLoaded<PublishedRules>(`${file} of ${site.id}`, (signal) => readRules(site, file, signal))
  useTitle(file, nameOfSite(site))
  return (
    <Await of={rules}>{(data) => <RulesEditor site={site} file={file} published={data} onChanged={rules.put} />}</Await>
  )
}

interface RulesEditorProps {
  site: Site
  file: RulesFile
  published: PublishedRules
  onChanged: (rules: PublishedRules) => void
}

function RulesEditor({ site, file, published, onChanged }: RulesEditorProps) {
  const draft = useRulesDraft(site, file, published, onChanged)
  const [path, setPath] = useState('/')
  const { rules, problem } = useTriedRules(site, { file, text: draft.text, path, isPublished: !draft.isChanged })
  const editor = useRef<Editor>(null)
  const { wrong, warnings, marks } = useMemo(() => {
    const own = (lines: NonNullable<typeof rules>['warnings'] = []) => lines.filter((each) => each.file === file)
    const found = { wrong: own(rules?.wrongLines), warnings: own(rules?.warnings) }
    const errors = found.wrong.map((each) => ({ ...each, severity: 'error' as const }))
    return {
      ...found,
      marks: [...errors, ...found.warnings.map((each) => ({ ...each, severity: 'warning' as const }))],
    }
  }, [rules, file])
  useShortcuts(useMay()('write') ? { 'mod+s': () => void draft.publish() } : {})
  return (
    <>
      <RulesBar site={site} file={file} draft={draft} wrongLines={wrong.length} />
      <div class="split">
        <CodeEditor
          text={draft.text}
          version={draft.round}
          label={file}
          language="rules"
          onChange={draft.change}
          marks={marks}
          handle={editor}
        />
        <div class="side">
          <TryBox site={site} path={path} onPath={setPath} tried={rules} problem={problem} />
          <LineList title="Wrong lines" lines={wrong} onShow={(line) => editor.current?.showLine(line)} />
          <LineList title="Warnings" lines={warnings} onShow={(line) => editor.current?.showLine(line)} />
        </div>
      </div>
      <RulesConflict draft={draft} file={file} />
    </>
  )
}

/** The dialog for rules that somebody else published or deleted after the draft was started. It shows both texts, and the choices. */
function RulesConflict({ draft: { text, theirs, ...draft }, file }: { draft: RulesDraft; file: RulesFile }) {
  if (theirs === undefined) return null
  const what = theirs.oid === null ? 'deleted' : 'changed'
  return (
    <Dialog title={`Somebody else ${what} ${file}`} onClose={draft.closeConflict} wide>
      <p>The published text is on the left, yours on the right.</p>
      <Comparison before={theirs.text} after={text} layout="side by side" />
      <div class="bar">
        <Button kind="main" onClick={draft.takeBoth}>
          Put both into the editor
        </Button>
        <Button onClick={() => void draft.publishOverTheirs()}>Publish mine over it</Button>
        <Button onClick={draft.takeTheirs}>Take theirs</Button>
      </div>
    </Dialog>
  )
}

/** Further lines are shown once the first ones are fixed. */
const MAX_SHOWN = 50

interface LineListProps {
  title: string
  lines: readonly { line: number; message: string }[]
  onShow: (line: number) => void
}

/** Lines of a rules file, each with a message. */
function LineList({ title, lines, onShow }: LineListProps) {
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
