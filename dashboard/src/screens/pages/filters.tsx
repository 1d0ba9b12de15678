// The filters of the list: side by side where there is room, in a box behind one button on a phone.

import type { Page } from '../../api/client.js'
import { Select } from '../../parts/controls/select.js'
import type { TreeNode } from '../../parts/lists/tree.js'
import { Popover } from '../../parts/overlays/popover.js'
import { ALL, flatten, readable } from './folders.js'
import { ANY, type HeldView, NO_TEMPLATE, PLACES, SORTS, STATUSES } from './view.js'

interface FiltersProps {
  held: HeldView
  /** The pages whose templates can be chosen. */
  pages: readonly Page[]
  tree: readonly TreeNode[] | undefined
}

export function Filters({ held, pages, tree }: FiltersProps) {
  const { view, change } = held
  const folders = flatten(tree ?? [])
  return (
    <>
      <span class="wide-only filter-row">
        <Choices held={held} pages={pages} />
      </span>
      <span class="narrow-only">
        <Popover label="Filter and sort" icon="filter">
          <div class="filter">
            {folders.length > 1 && (
              <Select
                label="Folder"
                value={view.folder}
                onChoose={(folder) => change({ folder: folder === ALL ? '' : folder })}
                from={folders.map(({ key }) => key)}
                labelOf={(key) => wordFolder(folders, key)}
              />
            )}
            <Choices held={held} pages={pages} />
          </div>
        </Popover>
      </span>
    </>
  )
}

function Choices({ held: { view, change }, pages }: Pick<FiltersProps, 'held' | 'pages'>) {
  const templates = [...new Set(pages.map(({ templateId }) => templateId ?? NO_TEMPLATE))].toSorted()
  const hasChoice = templates.length > 1 || view.template !== ANY
  return (
    <>
      <Select label="Search in" value={view.place} onChoose={(place) => change({ in: place })} from={PLACES} />
      <Select label="Status" value={view.status} onChoose={(status) => change({ status })} from={STATUSES} />
      {hasChoice && (
        <Select
          label="Template"
          value={view.template}
          onChoose={(template) => change({ template })}
          from={[...new Set([ANY, ...templates, view.template])]}
          labelOf={(template) => (template === ANY ? 'any' : template)}
        />
      )}
      <Select label="Sort by" value={view.sort} onChoose={(sort) => change({ sort })} from={SORTS} />
    </>
  )
}

function wordFolder(folders: readonly TreeNode[], key: string): string {
  const folder = folders.find((each) => each.key === key)
  const name = key === ALL ? 'All pages' : readable(key)
  return folder?.count === undefined ? name : `${name} (${folder.count})`
}
