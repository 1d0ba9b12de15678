// The tasks about files and the rules of a site.

import assert from 'node:assert/strict'
import type { Keys } from './keys.js'
import type { Task } from './task.js'

const textFile = (name: string, text: string) => [{ name, mimeType: 'text/plain', buffer: Buffer.from(text) }]

async function writeRules(keys: Keys, file: string, rules: string, publish: () => Promise<void>): Promise<void> {
  await keys.reach('textbox', file)
  await keys.tab.keyboard.insertText(rules)
  await publish()
  await keys.said('Published.')
}

export const FILE_TASKS: readonly Task[] = [
  {
    does: 'uploads files',
    calls: ['screens/files/upload.ts POST /deploys', 'screens/files/upload.ts POST /deploys/{id}/publish'],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/sites/demo/files'))
      await keys.give(textFile('sent.txt', 'sent'), () => keys.push('Upload files'))
      await keys.said(/1 file created/)
      assert.equal(await desk.live('/sent.txt'), 'sent')
    },
  },
  {
    does: 'replaces a file, deletes it, and brings it back',
    calls: [
      'api/put-file.ts PUT /files',
      'screens/files/use-file-users.ts DELETE /files',
      'screens/files/file-dialog.tsx DELETE /files',
      'screens/files/file-dialog.tsx POST /files/rollback',
    ],
    async by(keys, desk) {
      await desk.service.api().put('/files?path=/card.txt').type('text/plain').send('one').expect(201)
      await keys.tab.goto(desk.at('/sites/demo/files'))
      await keys.pick('What to do with /card.txt', 'Details')
      await keys.give(textFile('any.txt', 'two'), () => keys.push('Replace…'))
      await keys.said('/card.txt is replaced.')
      assert.equal(await desk.live('/card.txt'), 'two')
      await keys.pick('What to do with /card.txt', 'Delete…')
      await keys.push('Delete')
      await keys.said('/card.txt is deleted.')
      assert.equal((await desk.service.visit('/card.txt')).status, 404)
      assert.ok(await keys.hasPlace())
      await keys.push('Undo')
      await keys.said('/card.txt is back.')
      assert.equal(await desk.live('/card.txt'), 'two')
    },
  },
  {
    does: 'goes back to a version of a file, and moves the file',
    calls: ['screens/files/file-history.tsx POST /files/rollback', 'screens/files/move-file.tsx POST /files/move'],
    async by(keys, desk) {
      const put = (text: string) => desk.service.api().put('/files?path=/menu.txt').type('text/plain').send(text)
      await put('one').expect(201)
      await put('two').expect(200)
      await keys.tab.goto(desk.at('/sites/demo/files'))
      await keys.pick('What to do with /menu.txt', 'History')
      await keys.push('Go back to version 1')
      await keys.said('/menu.txt is as in version 1 again.')
      assert.equal(await desk.live('/menu.txt'), 'one')
      await keys.press('Escape')
      await keys.pick('What to do with /menu.txt', 'Rename or move…')
      await keys.fill('New path', '/moved.txt')
      await keys.press('Enter')
      await keys.said('/menu.txt is now /moved.txt.')
      assert.equal(await desk.live('/moved.txt'), 'one')
    },
  },
  {
    does: 'writes redirects, tries a path, and publishes them',
    calls: ['screens/rules/use-tried-rules.ts POST /sites/{id}/resolve'],
    screens: ['/sites/:site/files/_redirects'],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/sites/demo/files/_redirects'))
      await writeRules(keys, '_redirects', '/from /to\n', () => keys.push('Publish'))
      await keys.fill('What would this path answer?', '/from')
      await keys.sees('/to')
      assert.equal((await desk.service.visit('/from')).get('location'), '/to')
    },
  },
  {
    does: 'writes header fields by Control and S',
    screens: ['/sites/:site/files/_headers'],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/sites/demo/files/_headers'))
      await writeRules(keys, '_headers', '/*\n  X-Made-By: keys\n', () => keys.press('Control+S'))
      assert.equal((await desk.service.visit('/')).get('x-made-by'), 'keys')
    },
  },
]
