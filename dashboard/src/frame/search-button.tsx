// The way to the search in the header. Control or Command with K does the same.

import { Button } from '../parts/controls/button.js'

interface SearchButtonProps {
  onSearch: () => void
}

export function SearchButton({ onSearch }: SearchButtonProps) {
  return (
    <Button class="search-button" icon="search" aria-keyshortcuts="Control+K" onClick={onSearch}>
      <span>Search</span>
      <kbd aria-hidden="true">Ctrl K</kbd>
    </Button>
  )
}
