// Tables, trees and ways through lists on the page of parts.

import { useState } from 'preact/hooks'
import { Button } from '../controls/button.js'
import { SearchField } from '../controls/search-field.js'
import { Breadcrumb } from '../lists/breadcrumb.js'
import { Facts } from '../lists/facts.js'
import { FilterBar } from '../lists/filter-bar.js'
import { Pager } from '../lists/pager.js'
import { SelectionBar, useSelection } from '../lists/selection.js'
import { Table } from '../lists/table.js'
import { Tabs } from '../lists/tabs.js'
import { Tree } from '../lists/tree.js'
import { Menu } from '../overlays/menu.js'
import { Badge } from '../states/badge.js'
import { Sample } from './sample.js'

const PAGES = ['Spring fair', 'Contact', 'A page with quite a long title that somebody gave it', 'مرحبا بكم']

const FOLDERS = [
  { key: '/', label: 'All pages', count: 42, icon: 'home' },
  {
    key: '/guide',
    label: 'guide',
    count: 12,
    children: [
      { key: '/guide/first', label: 'first', count: 3 },
      { key: '/guide/second', label: 'second', count: 9 },
    ],
  },
  { key: '/news', label: 'news', count: 30 },
] as const

export function ListSamples() {
  const [folder, setFolder] = useState('/')
  const [words, setWords] = useState('')
  return (
    <>
      <Sample of="Tabs">
        <Tabs
          label="A site"
          tabs={['Pages', 'Files', 'History'].map((label, at) => ({ to: `#${label}`, label, isShown: at === 0 }))}
        />
      </Sample>
      <Sample of="Breadcrumb">
        <Breadcrumb
          trail={[
            { to: '#sites', label: 'Sites' },
            { to: '#demo', label: 'demo' },
          ]}
          here="Spring fair"
        />
      </Sample>
      <Sample of="FilterBar">
        <div class="grow">
          <FilterBar action={<Button kind="main">New page</Button>}>
            <SearchField label="Search" value={words} onValue={setWords} />
          </FilterBar>
        </div>
      </Sample>
      <Sample of="Table">
        <PageTable />
      </Sample>
      <Sample of="Tree">
        <div class="grow">
          <Tree label="Folders" nodes={FOLDERS} chosen={folder} onChoose={setFolder} openAtFirst={['/guide']} />
        </div>
      </Sample>
      <Sample of="Facts">
        <Facts
          facts={[
            ['Created', 'today'],
            ['Size', '26 KiB'],
          ]}
        />
      </Sample>
    </>
  )
}

function PageTable() {
  const selection = useSelection()
  return (
    <div class="grow">
      <Table
        label="Pages"
        columns={['Title', 'State', 'Changed']}
        headingAt={0}
        selection={selection}
        hasQuietActions
        rows={PAGES.map((title, at) => ({
          key: String(at),
          name: title,
          cells: [title, <Badge state={at === 1 ? 'draft' : 'ok'}>{at === 1 ? 'Draft' : 'Published'}</Badge>, 'today'],
          actions: <Menu label={`Actions for ${title}`} isSmall items={[{ label: 'Open', icon: 'open' }]} />,
        }))}
      />
      <SelectionBar selection={selection}>
        <Button isSmall>Unpublish</Button>
      </SelectionBar>
      <Pager label="More pages" onMore={() => undefined} />
    </div>
  )
}
