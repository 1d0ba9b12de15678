// Says after an upload which files were left out and which have faults, until a person closes it.

import { formatCount } from '../../format.js'
import { LinkButton } from '../../parts/controls/button.js'
import { Dialog } from '../../parts/overlays/dialog.js'

export interface Finding {
  path: string
  line?: number | undefined
  message: string
}

export interface Findings {
  leftOut: readonly Finding[]
  warnings: readonly Finding[]
}

interface UploadFindingsProps {
  slug: string
  findings: Findings
  onClose: () => void
}

export const NO_FINDINGS: Findings = { leftOut: [], warnings: [] }

/** The most files that are named. The next upload names the others. */
const MAX_SHOWN = 50
/** Files with an editor of their own. */
const OF_RULES = ['_redirects', '_headers']

export function UploadFindings({ slug, findings: { leftOut, warnings }, onClose }: UploadFindingsProps) {
  if (leftOut.length + warnings.length === 0) return null
  const rules = OF_RULES.filter((file) => warnings.some(({ path }) => path === file))
  return (
    <Dialog
      title={
        leftOut.length > 0 ? `${formatCount(leftOut.length, 'file')} left out` : 'Published, with something to look at'
      }
      onClose={onClose}
    >
      {leftOut.length > 0 && (
        <>
          <p>The site cannot take these; all others are published. Put these right and upload them again:</p>
          <List findings={leftOut} kind="more file" />
        </>
      )}
      {warnings.length > 0 && (
        <>
          {leftOut.length > 0 && <h3>Something to look at</h3>}
          <List findings={warnings} kind="more warning" />
          {rules.length > 0 && (
            <div class="bar">
              {rules.map((file) => (
                <LinkButton key={file} href={`/sites/${slug}/files/${file}`}>
                  Edit {file}
                </LinkButton>
              ))}
            </div>
          )}
        </>
      )}
    </Dialog>
  )
}

function List({ findings, kind }: { findings: readonly Finding[]; kind: string }) {
  return (
    <>
      <ul class="findings">
        {findings.slice(0, MAX_SHOWN).map(({ path, line, message }) => (
          <li key={`${path} ${line} ${message}`}>
            <code>
              {path}
              {line !== undefined && `, line ${line}`}
            </code>
            <p>{message}</p>
          </li>
        ))}
      </ul>
      {findings.length > MAX_SHOWN && <p class="hint">and {formatCount(findings.length - MAX_SHOWN, kind)}</p>}
    </>
  )
}
