// Offers to make paragraphs of a text without tags.

import { isWordsOnly, makeParagraphs } from '../../../editor/paragraphs.js'
import { Button } from '../../../parts/controls/button.js'
import { notify } from '../../../parts/overlays/notices.js'

interface OfferProps {
  html: string
  /** The title of the page, for a text without a heading. */
  title: string
  onReplace: (html: string) => void
}

export function OfferParagraphs({ html, title, onReplace }: OfferProps) {
  if (!isWordsOnly(html)) return null
  const replace = () => {
    onReplace(makeParagraphs(html, title))
    notify('The text has paragraphs now.', { label: 'Undo', run: () => onReplace(html) })
  }
  return (
    <p class="offer" role="status">
      <span>Browsers will show this as one line.</span>
      <Button isSmall onClick={replace}>
        Make paragraphs of this text
      </Button>
    </p>
  )
}
