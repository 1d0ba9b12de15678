// The tasks about pages: from the first draft to the last address.

import assert from 'node:assert/strict'
import type { Desk } from '../desk.js'
import type { Keys } from './keys.js'
import type { Task } from './task.js'

async function write(keys: Keys, html: string): Promise<void> {
  await keys.reach('textbox', 'HTML')
  await keys.press('Control+A')
  await keys.tab.keyboard.insertText(html)
}

async function publish(keys: Keys): Promise<void> {
  await keys.push('Publish…')
  await keys.push('Publish')
  await keys.said('Published.')
}

async function edit(keys: Keys, desk: Desk, path: string): Promise<string> {
  const id = await desk.publish(path, `<title>Page ${path}</title><p>before</p>`)
  await keys.tab.goto(desk.at(`/sites/demo/pages/${id}`))
  return id
}

export const PAGE_TASKS: readonly Task[] = [
  {
    does: 'writes a page, and publishes it',
    calls: [
      'screens/pages/new/create-draft.ts POST /pages',
      'screens/page/save-draft.ts PUT /pages/{id}/content',
      'screens/page/use-preview.ts PUT /pages/{id}/content',
      'api/requests.ts POST /change-requests/{id}/publish',
    ],
    screens: ['/sites/:site/new', '/sites/:site/pages/:page'],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/sites/demo'))
      await keys.follow('New page')
      await keys.type('By keys')
      await keys.choose('Blank')
      await keys.push('Create')
      await write(keys, '<title>By keys</title><p>No mouse</p>')
      await publish(keys)
      assert.match(await desk.live('/by-keys'), /No mouse/)
    },
  },
  {
    does: 'leaves the text of a page by Escape and Tab, and saves its draft',
    async by(keys, desk) {
      const id = await edit(keys, desk, '/saved')
      await write(keys, '<p>after</p>')
      await keys.push('Save draft')
      await keys.said('The draft is saved.')
      const { body } = await desk.service.api().get(`/sites/${desk.service.site.id}/change-requests?page=${id}`)
      assert.equal((body as { data: object[] }).data.length, 1)
      assert.match(await desk.live('/saved'), /before/)
    },
  },
  {
    does: 'deletes a draft, and brings it back',
    calls: ['api/requests.ts PATCH /change-requests/{id}', 'screens/page/save-draft.ts POST /pages'],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/sites/demo/new'))
      await keys.fill('Title', 'Given up')
      await keys.push('Create')
      await keys.reach('textbox', 'HTML')
      await keys.pick('More about this page', 'Delete the draft')
      await keys.said('The draft is deleted.')
      await keys.push('Undo')
      await keys.reach('textbox', 'HTML')
    },
  },
  {
    does: 'changes the title of a page in its place',
    calls: ['screens/page/edit/title-in-place.tsx PATCH /pages/{id}'],
    async by(keys, desk) {
      const id = await edit(keys, desk, '/titled')
      await keys.fill('Title', 'Another title')
      await keys.press('Enter')
      await keys.said('The title is saved.')
      const { body } = await desk.service.api().get(`/pages/${id}`).expect(200)
      assert.equal((body as { data: { title: string } }).data.title, 'Another title')
    },
  },
  {
    does: 'invites a guest to a draft',
    calls: ['screens/guests/invite-guest.tsx POST /change-requests/{id}/links'],
    async by(keys, desk) {
      await edit(keys, desk, '/previewed')
      await write(keys, '<p>soon</p>')
      await keys.pick('More about this page', 'Invite a guest')
      await keys.choose('a day')
      await keys.push('Make a link')
      await keys.reach('button', /^Copy/)
      await keys.press('Escape')
    },
  },
  {
    does: 'unpublishes a page in its editor, and takes that back',
    calls: [
      'screens/page/edit/unpublish.ts DELETE /pages/{id}',
      'screens/page/edit/unpublish.ts POST /pages/{id}/rollback',
    ],
    async by(keys, desk) {
      await edit(keys, desk, '/down')
      await keys.pick('More about this page', 'Unpublish')
      await keys.push('Undo')
      await keys.said(/is live again|as it was/)
      assert.match(await desk.live('/down'), /before/)
    },
  },
  {
    does: 'publishes HTML files of the disk',
    calls: ['screens/pages/drop-zone.tsx POST /batch'],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/sites/demo'))
      const files = [{ name: 'disk.html', mimeType: 'text/html', buffer: Buffer.from('<p>from disk</p>') }]
      await keys.give(files, () => keys.pick('More', 'Publish HTML files…'))
      await keys.said('1 page published as one change.')
      assert.match(await desk.live('/disk'), /from disk/)
    },
  },
  {
    does: 'renames a page with the links to it, and takes that back',
    calls: [
      'screens/pages/acts/page-changes.ts PATCH /pages/{id}',
      'screens/pages/acts/page-changes.ts POST /sites/{id}/undo',
    ],
    async by(keys, desk) {
      await desk.publish('/old-place', '<title>Movable</title>')
      await desk.publish('/linker', '<title>Linker</title><a href="/old-place">there</a>')
      await keys.tab.goto(desk.at('/sites/demo'))
      await keys.pick('What to do with Movable', 'Rename or move…')
      await keys.fill('New address', '/new-place')
      await keys.press('Enter')
      await keys.push('Move')
      await keys.said('Moved to /new-place.')
      assert.match(await desk.live('/linker'), /href="\/new-place"/)
      await keys.push('Undo')
      await keys.said('It is as it was before.')
      assert.match(await desk.live('/linker'), /href="\/old-place"/)
    },
  },
  {
    does: 'moves several pages to a folder, and unpublishes them',
    calls: ['screens/pages/acts/page-changes.ts POST /batch'],
    async by(keys, desk) {
      await desk.publish('/one', '<title>One of two</title>')
      await desk.publish('/two', '<title>Two of two</title>')
      await keys.tab.goto(desk.at('/sites/demo'))
      await keys.sees('One of two')
      await keys.press('/')
      await keys.type('of two')
      await keys.sees(/^2 of \d+ pages$/)
      await keys.toggle('Choose all')
      await keys.press('a')
      assert.ok(await keys.has('button', 'Move to folder…'))
      await keys.press('Enter')
      await keys.fill('Folder', '/both')
      await keys.press('Enter')
      await keys.push('Move')
      await keys.said('Moved to /both.')
      assert.equal((await desk.service.visit('/both/two')).status, 200)
      await keys.push('Unpublish…')
      await keys.choose(/^“Gone”/)
      await keys.push('Unpublish')
      await keys.said('Unpublished 2 pages.')
      assert.equal((await desk.service.visit('/both/one')).status, 410)
    },
  },
  {
    does: 'goes through the folders of a site as a tree, and moves one',
    calls: ['screens/pages/acts/page-changes.ts POST /sites/{id}/moves'],
    async by(keys, desk) {
      for (let n = 0; n < 30; n++) await desk.publish(`/many/deep/${n}`, `<title>Deep ${n}</title>`)
      await keys.tab.goto(desk.at('/sites/demo'))
      await keys.reach('treeitem', /^All pages/)
      await keys.press('ArrowDown')
      while (!(await keys.has('treeitem', /^many/))) await keys.press('ArrowDown')
      await keys.press('Enter')
      await keys.tab.waitForURL(/folder=%2Fmany%2F/)
      await keys.push('Rename or move /many/')
      await keys.fill('New address of the folder', '/few')
      await keys.press('Enter')
      await keys.push('Move')
      await keys.said('Moved to /few.')
      assert.equal((await desk.service.visit('/few/deep/7')).status, 200)
    },
  },
  {
    does: 'publishes a copy of a page',
    calls: ['screens/pages/acts/duplicate-dialog.tsx POST /pages'],
    async by(keys, desk) {
      await desk.publish('/first', '<title>First</title><p>same</p>')
      await keys.tab.goto(desk.at('/sites/demo?q=first'))
      await keys.pick('What to do with First', 'Duplicate…')
      await keys.push('Publish the copy')
      await keys.tab.waitForURL(/\/pages\//)
      assert.match(await desk.live('/first-copy'), /same/)
    },
  },
]
