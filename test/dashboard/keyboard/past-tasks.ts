// The tasks about what was: versions, the history, and the whole past of a site.

import assert from 'node:assert/strict'
import type { Task } from './task.js'

export const PAST_TASKS: readonly Task[] = [
  {
    does: 'compares two versions of a page, opens one, and goes back to it',
    calls: [
      'screens/page-history/preview-of-version.ts POST /pages/{id}/rollback',
      'screens/page-history/go-back.tsx POST /pages/{id}/rollback',
    ],
    screens: ['/sites/:site/pages/:page/history'],
    async by(keys, desk) {
      await desk.publish('/versions', '<title>Versions</title><p>first</p>')
      await desk.publish('/versions', '<title>Versions</title><p>second</p>')
      await keys.tab.goto(desk.at('/sites/demo?q=versions'))
      await keys.pick('What to do with Versions', 'History')
      await keys.pick('More about version 1', 'What changed since then')
      await keys.choose('HTML side by side')
      await keys.tab.getByRole('textbox', { name: 'Earlier version' }).getByText('first').waitFor()
      await keys.push('Close the comparison')
      const opened = keys.tab.context().waitForEvent('page')
      await keys.pick('More about version 1', 'Open this version')
      await (await opened).close()
      await keys.pick('More about version 1', 'Go back to version 1…')
      await keys.push('Go back')
      await keys.said('/versions is as it was in version 1.')
      assert.match(await desk.live('/versions'), /first/)
    },
  },
  {
    does: 'publishes a version of an unpublished page, and takes that back',
    calls: ['screens/page-history/go-back.tsx DELETE /pages/{id}'],
    async by(keys, desk) {
      const id = await desk.publish('/gone', '<title>Gone</title>')
      await desk.service.api().delete(`/pages/${id}`).expect(200)
      await keys.tab.goto(desk.at(`/sites/demo/pages/${id}/history`))
      await keys.pick('More about version 1', 'Go back to version 1…')
      await keys.push('Go back')
      await keys.push('Undo')
      await keys.said('It is as it was before.')
      assert.equal((await desk.service.visit('/gone')).status, 404)
    },
  },
  {
    does: 'takes a change back in the history, and that too',
    calls: [
      'screens/history/undo-dialog.tsx POST /sites/{id}/undo',
      'screens/history/take-back.tsx POST /sites/{id}/revert',
      'screens/history/use-take-back.tsx POST /sites/{id}/revert',
    ],
    async by(keys, desk) {
      await desk.publish('/wrong', '<title>Wrong</title>')
      await keys.tab.goto(desk.at('/sites/demo/history'))
      await keys.pick('More about “Publish /wrong”', 'Take this back…')
      await keys.push('Take it back')
      await keys.said(/^Taken back: /)
      assert.equal((await desk.service.visit('/wrong')).status, 404)
      await keys.push('Undo')
      await keys.said('It is as it was before.')
      assert.equal((await desk.service.visit('/wrong')).status, 200)
    },
  },
  {
    does: 'opens a change, and a file as it was then',
    calls: ['screens/history/changed-files.tsx POST /files/rollback'],
    async by(keys, desk) {
      await desk.service.api().put('/files?path=/kept.txt').type('text/plain').send('kept').expect(201)
      await keys.tab.goto(desk.at('/sites/demo/history'))
      await keys.unfold('/kept.txt')
      const opened = keys.tab.context().waitForEvent('page')
      await keys.push(/^Open kept\.txt as of /)
      const then = await opened
      await then.getByText('kept').waitFor()
      await then.close()
    },
  },
  {
    does: 'slides over the past of a site, and restores a page and all',
    calls: ['screens/past/past.tsx POST /sites/{id}/undo', 'screens/past/restore.ts POST /sites/{id}/undo'],
    screens: ['/sites/:site/history/past'],
    async by(keys, desk) {
      await desk.publish('/slid', '<h1>Old</h1>')
      await desk.publish('/slid', '<h1>New</h1>')
      await keys.tab.goto(desk.at('/sites/demo/history'))
      await keys.follow('Go back in time')
      await keys.reach('slider', 'Change of the site')
      await keys.press('ArrowLeft')
      await keys.push('Restore /slid')
      await keys.said('/slid is as it was then.')
      assert.match(await desk.live('/slid'), /Old/)
      await keys.reach('slider', 'Change of the site')
      await keys.press('ArrowLeft')
      await keys.push('Restore all')
      await keys.push('Restore the whole site as it was then')
      await keys.said('The site is as it was then.')
      assert.match(await desk.live('/slid'), /New/)
    },
  },
]
