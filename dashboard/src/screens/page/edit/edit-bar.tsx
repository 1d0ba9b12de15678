// The bar above an editor that fills the window. It has the way back, the title, the state, the width of the preview, and the acts.

import type { ComponentChildren } from 'preact'
import type { Page, Site } from '../../../api/client.js'
import { LinkButton } from '../../../parts/controls/button.js'
import { Segmented } from '../../../parts/controls/segmented.js'
import { Badge } from '../../../parts/states/badge.js'
import { PathText } from '../../../parts/states/path-text.js'
import { type Width, WIDTHS } from './preview-pane.js'
import { TitleInPlace } from './title-in-place.js'

interface EditBarProps {
  site: Site
  page: Page
  request?: string | undefined
  isTitleEditable: boolean
  onRetitled: (page: Page) => void
  /** The word for a page that is not live. */
  badge?: string | undefined
  /** Says whether the text is saved. */
  state: string
  width: Width
  onWidth: (width: Width) => void
  /** The buttons at the end. */
  children: ComponentChildren
}

const WIDTH_WORDS: Readonly<Record<Width, string>> = { desktop: 'Desktop', phone: 'Phone' }

export function EditBar({ site, page, request, isTitleEditable, onRetitled, ...props }: EditBarProps) {
  const { badge, state, width, onWidth, children } = props
  return (
    <header class="edit-bar">
      <LinkButton kind="quiet" icon="back" href={`/sites/${site.slug}`}>
        Pages
      </LinkButton>
      <div class="named">
        <TitleInPlace site={site} page={page} request={request} isEditable={isTitleEditable} onChanged={onRetitled} />
        {badge === undefined ? (
          <a class="hint" href={page.url} target="_blank" rel="noopener noreferrer">
            <PathText of={page.path} /> ↗
          </a>
        ) : (
          <span class="hint">
            <PathText of={page.path} />
          </span>
        )}
      </div>
      {badge !== undefined && <Badge state="draft">{badge}</Badge>}
      <span class="hint state" role="status">
        {state}
      </span>
      <div class="wide-only">
        <Segmented
          label="Width of the preview"
          isLabelUnseen
          value={width}
          from={WIDTHS}
          onChoose={onWidth}
          labelOf={(each) => WIDTH_WORDS[each]}
          iconOf={(each) => each}
        />
      </div>
      <div class="acts">{children}</div>
    </header>
  )
}
