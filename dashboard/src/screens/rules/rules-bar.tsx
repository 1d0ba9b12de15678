// The head of the rules editor: the name of the file, the state of the draft, and the buttons.

import type { Site } from '../../api/client.js'
import { bothIn } from '../../editor/both-texts.js'
import { formatCount } from '../../format.js'
import { Allowed } from '../../parts/rights/allowed.js'
import { Form } from '../../parts/controls/form.js'
import { RULES_FILES, type RulesFile } from './published-rules.js'
import type { RulesDraft } from './use-rules-draft.js'
import { Button, LinkButton } from '../../parts/controls/button.js'

interface RulesBarProps {
  site: Site
  file: RulesFile
  draft: RulesDraft
  wrongLines: number
}

export function RulesBar({ site, file, draft, wrongLines }: RulesBarProps) {
  return (
    <Form class="bar" onSubmit={draft.publish}>
      <h2>{file}</h2>
      <span class="hint grow" role="status">
        {stateOf(draft, wrongLines)}
      </span>
      {RULES_FILES.filter((other) => other !== file).map((other) => (
        <LinkButton key={other} href={`/sites/${site.slug}/files/${other}`}>
          {other}
        </LinkButton>
      ))}
      {draft.isChanged && <Button onClick={draft.discard}>Discard</Button>}
      <Allowed to="write">
        {draft.isRefused && draft.markedLine === undefined && (
          <Button onClick={() => void draft.publishWithoutWrongLines()}>Publish without the wrong lines</Button>
        )}
        <Button type="submit" kind="main" disabled={!draft.isChanged || draft.markedLine !== undefined}>
          Publish
        </Button>
      </Allowed>
    </Form>
  )
}

function stateOf({ isChanged, isRefused, markedLine }: RulesDraft, wrongLines: number): string {
  if (markedLine !== undefined) return bothIn(markedLine)
  const wrong = wrongLines === 0 ? '' : `${formatCount(wrongLines, 'line is', 'lines are')} wrong. `
  if (isRefused) return `${wrong}Nothing was published.`
  return `${wrong}${isChanged ? 'Not published yet; kept in this browser' : 'As published'}`
}
