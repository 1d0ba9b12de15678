// Says in place what went wrong, with a way to try again.

import { Button } from '../controls/button.js'
import { Icon } from '../icons.js'

export function ErrorNotice({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <div class="failure panel" role="alert">
      <Icon name="failed" />
      <p>{error.message}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}
