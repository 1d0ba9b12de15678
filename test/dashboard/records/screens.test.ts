import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { type Desk, sitDown } from '../desk.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

interface Answer<T> {
  data: T
}

interface StoredRecord {
  id: string
  data: Record<string, unknown>
}

describe('the dashboard: records', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const makeCollection = async (name: string, schema: object | null): Promise<string> => {
    const { body } = await desk.service.api().post('/collections').send({ name, schema }).expect(201)
    return (body as Answer<{ id: string }>).data.id
  }
  const addRecord = async (collection: string, data: object): Promise<string> => {
    const { body } = await desk.service.api().post(`/collections/${collection}/records`).send({ data }).expect(201)
    return (body as Answer<StoredRecord>).data.id
  }
  const recordsOf = async (collection: string): Promise<StoredRecord[]> => {
    const { body } = await desk.service.api().get(`/collections/${collection}/records?limit=1000`).expect(200)
    return (body as Answer<StoredRecord[]>).data
  }
  const open = async (collection: string, tab: Page = desk.tab) =>
    await tab.goto(desk.at(`/sites/demo/collections/${collection}`))
  const dialog = (tab: Page = desk.tab) => tab.getByRole('dialog')
  const column = async (tab: Page = desk.tab) => await tab.getByRole('rowheader').allTextContents()

  it('makes a collection from rows of a name and a kind, and adds a record by its form', async () => {
    await desk.tab.goto(desk.at('/sites/demo/collections'))
    await desk.button('New collection').click()
    await desk.tab.getByLabel('Title', { exact: true }).fill('Our books')
    assert.equal(await desk.tab.getByLabel('Name', { exact: true }).inputValue(), 'our-books')
    const add = async (label: string, kind: string) => {
      await desk.button('Add a field').click()
      await desk.tab.keyboard.insertText(label)
      await desk.tab.getByLabel(`Kind of ${label}`).selectOption(kind)
    }
    await add('Year', 'number')
    await add('Kind', 'choice')
    await desk.button('Create the collection').click()
    await dialog().getByText('Write what can be chosen.').waitFor()
    await desk.tab.getByLabel('Choices of Kind').fill('verse, prose')
    await add('Form', 'choice')
    await desk.tab.getByLabel('Choices of Form').fill('book, roll')
    await desk.button('Move Form up').click()
    assert.equal(await desk.tab.getByLabel('Choices of Form').inputValue(), 'book, roll')
    assert.equal(await desk.tab.getByLabel('Choices of Kind').inputValue(), 'verse, prose')
    await desk.button('Remove Form').click()
    assert.equal(await desk.tab.getByLabel('Choices of Kind').inputValue(), 'verse, prose')
    await add('Read', 'yes or no')
    await desk.tab.getByLabel('Name of Read').press('Enter')
    await desk.tab.keyboard.insertText('Tags')
    await desk.tab.getByLabel('Kind of Tags').selectOption('list')
    await add('Printed', 'date')
    await add('Blurb', 'long text')
    await desk.button('Create the collection').click()
    await desk.tab.getByRole('heading', { name: 'Our books', exact: true }).waitFor()

    await desk.button('New record').click()
    await desk.button('Add', dialog()).last().click()
    await dialog().getByText('Fill this in.').waitFor()
    await desk.tab.getByLabel('Title').fill('Metamorphoses')
    await desk.tab.getByLabel('Year').fill('8 CE')
    await desk.tab.getByLabel('verse').check()
    await desk.tab.getByLabel('Read').check()
    await desk.button('Add to Tags').click()
    await desk.tab.keyboard.insertText('myth')
    await desk.tab.keyboard.press('Enter')
    await desk.tab.keyboard.insertText('Latin')
    await desk.button('Move Tags 2 up').click()
    await desk.tab.getByLabel('Printed').fill('1471-01-02')
    await desk.tab.getByLabel('Blurb').fill('Of bodies\nchanged to other forms')
    await desk.button('Add', dialog()).last().click()
    await dialog().getByText('Write a number, such as 12 or 1.5.').waitFor()
    await desk.tab.getByLabel('Year').fill('8')
    await desk.button('Add', dialog()).last().click()
    await desk.said('Added Metamorphoses to Our books.')
    await desk.tab.getByRole('rowheader', { name: 'Metamorphoses' }).waitFor()
    const id = desk.tab.url().split('/').at(-1) ?? ''
    const [made] = await recordsOf(id)
    assert.deepEqual(made?.data, {
      blurb: 'Of bodies\nchanged to other forms',
      kind: 'verse',
      printed: '1471-01-02',
      read: true,
      tags: ['Latin', 'myth'],
      title: 'Metamorphoses',
      year: 8,
    })
  })

  const BOOKS = {
    title: 'Books',
    type: 'object',
    required: ['title'],
    'x-order': ['title', 'year', 'kind', 'author', 'pages'],
    properties: {
      title: { type: 'string', pattern: '^[A-Z]' },
      year: { type: 'integer' },
      kind: { enum: ['verse', 'prose'] },
      author: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      pages: { type: 'array', items: { type: 'object' } },
    },
  }

  it('shows what the service finds wrong below the field that it names', async () => {
    const id = await makeCollection('refused', BOOKS)
    await open(id)
    await desk.button('Add the first record').click()
    await desk.tab.getByLabel('Title').fill('lower')
    await desk.button('Add', dialog()).click()
    const field = dialog().locator('.field', { has: desk.tab.getByLabel('Title') })
    await field.getByText('It must match the pattern').waitFor()
    assert.equal(await desk.tab.getByLabel('Title').getAttribute('aria-invalid'), 'true')
    assert.equal(await desk.tab.evaluate('document.activeElement.getAttribute("aria-invalid")'), 'true')
    await desk.tab.getByLabel('Title').fill('Upper')
    await field.getByText('It must match the pattern').waitFor({ state: 'detached' })
    await desk.button('Add', dialog()).click()
    await desk.said('Added Upper to Books.')
  })

  it('keeps all that is written when a person changes between the form and the JSON', async () => {
    const id = await makeCollection('two tabs', BOOKS)
    await addRecord(id, { title: 'Fasti', color: 'red', pages: [{ number: 1 }] })
    await open(id)
    await desk.tab.getByRole('rowheader', { name: 'Fasti' }).getByRole('button').click()
    await dialog().getByText('Also in this record, and kept: Color.').waitFor()
    await desk.tab.getByLabel('Year').fill('8')
    await desk.tab.getByLabel('Name').fill('Ovid')
    await desk.tab.getByLabel('JSON', { exact: true }).check()
    const json = desk.tab.getByRole('textbox', { name: 'Record' })
    await json.getByText('"red"').waitFor()
    await json.click()
    await desk.tab.keyboard.press('Control+A')
    await desk.tab.keyboard.insertText('{ "title": ')
    await desk.tab.getByLabel('Form', { exact: true }).click()
    await dialog().getByText('Correct the JSON first').waitFor()
    await json.click()
    await desk.tab.keyboard.press('Control+A')
    const written = { title: 'Fasti', color: 'blue', year: 'eight', author: { name: 'Ovid' }, pages: [{ number: 2 }] }
    await desk.tab.keyboard.insertText(JSON.stringify(written))
    await dialog().getByText('year: Write a number').waitFor()
    await desk.tab.getByLabel('Form', { exact: true }).check()
    assert.equal(await desk.tab.getByLabel('Year').inputValue(), 'eight')
    assert.equal(await desk.tab.getByLabel('Name').inputValue(), 'Ovid')
    await desk.tab.getByLabel('Year').fill('8')
    await desk.button('Save').click()
    await desk.said('Saved Fasti.')
    assert.deepEqual((await recordsOf(id))[0]?.data, { ...written, year: 8 })
  })

  it('opens a dialog again that was closed with text in it', async () => {
    const id = await makeCollection('closed', BOOKS)
    await open(id)
    await desk.button('New record').click()
    await desk.tab.getByLabel('Title').fill('Half a ti')
    await desk.tab.keyboard.press('Escape')
    await desk.said('The new record was not saved.')
    await desk.button('Continue').click()
    assert.equal(await desk.tab.getByLabel('Title').inputValue(), 'Half a ti')
  })

  it('keeps what is written through a reload and an ended session', async () => {
    const id = await makeCollection('kept', BOOKS)
    await addRecord(id, { title: 'Halieutica' })
    await open(id)
    await desk.tab.getByRole('rowheader', { name: 'Halieutica' }).getByRole('button').click()
    await desk.tab.getByLabel('Year').fill('17')
    await desk.tab.reload()
    await dialog().waitFor()
    assert.equal(await desk.tab.getByLabel('Year').inputValue(), '17')
    const cookies = await desk.context.cookies()
    await desk.context.clearCookies()
    await desk.button('Save').click()
    await dialog().waitFor({ state: 'detached' })
    await desk.context.addCookies(cookies)
    await desk.tab.reload()
    await desk.button('Save').click()
    await desk.said('Saved Halieutica.')
    assert.equal((await recordsOf(id))[0]?.data['year'], 17)
    await desk.tab.reload()
    await desk.tab.getByRole('rowheader', { name: 'Halieutica' }).waitFor()
    assert.equal(await dialog().count(), 0)
  })

  it('sorts and filters by columns, and keeps both in the address', async () => {
    const id = await makeCollection('sorted', BOOKS)
    for (const [title, year] of Object.entries({ Beta: 2, Alpha: 10, Gamma: 9 })) await addRecord(id, { title, year })
    await open(id)
    const sorted = async (...titles: string[]) => {
      await desk.tab
        .getByRole('rowheader')
        .first()
        .getByText(titles[0] ?? '')
        .waitFor()
      assert.deepEqual(await column(), titles)
    }
    await sorted('Beta', 'Alpha', 'Gamma')
    await desk.button('Year').click()
    await desk.tab.waitForURL(/sort=year/)
    await desk.tab.locator('th[aria-sort=ascending]').waitFor()
    await desk.tab.getByRole('rowheader').nth(1).getByText('Gamma').waitFor()
    await sorted('Beta', 'Gamma', 'Alpha')
    await desk.button('Year').click()
    await desk.tab.locator('th[aria-sort=descending]').waitFor()
    await sorted('Alpha', 'Gamma', 'Beta')
    await desk.button('Filter').click()
    await desk.tab.getByLabel('Field').selectOption({ label: 'Year' })
    await desk.tab.getByLabel('Comparison').selectOption({ label: 'at most' })
    await desk.tab.getByLabel('Value').fill('9')
    await desk.tab.keyboard.press('Enter')
    await desk.tab.getByText('Year at most 9').waitFor()
    await sorted('Gamma', 'Beta')
    await desk.tab.reload()
    await sorted('Gamma', 'Beta')
    await desk.tab.getByLabel('Search the records').fill('bet')
    await sorted('Beta')
    await desk.tab.getByLabel('Search the records').fill('nothing like it')
    await desk.tab.getByText('No record is like this').waitFor()
    await desk.tab.getByLabel('Search the records').fill('')
    await desk.button('Remove the filter: Year at most 9').click()
    await sorted('Alpha', 'Gamma', 'Beta')
  })

  it('deletes several records in one commit after a question, and brings them back', async () => {
    const id = await makeCollection('deleted', BOOKS)
    for (const title of ['One', 'Two', 'Three']) await addRecord(id, { title })
    await open(id)
    await desk.tab.getByLabel('Choose One').check()
    await desk.tab.getByLabel('Choose Three').check()
    await desk.button('Delete').click()
    await dialog().getByText('The history keeps them').waitFor()
    await desk.button('Delete 2 records', dialog()).click()
    await desk.said('Deleted 2 records from Books.')
    assert.deepEqual(
      (await recordsOf(id)).map(({ data }) => data['title']),
      ['Two'],
    )
    await desk.undo()
    await desk.said('Brought back 2 records to Books.')
    await desk.tab.getByRole('rowheader', { name: 'Three' }).waitFor()
    assert.equal((await recordsOf(id)).length, 3)
  })

  it('duplicates and deletes from the menu of a row', async () => {
    const id = await makeCollection('menu', BOOKS)
    await addRecord(id, { title: 'Medea', year: 1 })
    await open(id)
    await desk.button('Actions for Medea').click()
    await desk.tab.getByRole('menuitem', { name: 'Duplicate' }).click()
    assert.equal(await desk.tab.getByLabel('Year').inputValue(), '1')
    await desk.tab.getByLabel('Title').fill('Medea again')
    await desk.button('Add', dialog()).click()
    await desk.said('Added Medea again to Books.')
    await desk.button('Actions for Medea').click()
    await desk.tab.getByRole('menuitem', { name: 'Delete' }).click()
    await desk.said('Deleted Medea from Books.')
    await desk.tab.getByRole('rowheader', { name: 'Medea', exact: true }).waitFor({ state: 'detached' })
    assert.deepEqual(await column(), ['Medea again'])
  })

  it('merges what two people write in one record, and asks about a field that both changed', async () => {
    const id = await makeCollection('shared', BOOKS)
    const record = await addRecord(id, { title: 'Heroides', year: 1, author: { name: 'Ovid' } })
    const other = await desk.signIn({ viewport: { width: 1280, height: 800 } })
    const openIn = async (tab: Page) => {
      await open(id, tab)
      await tab.getByRole('rowheader').getByRole('button').first().click()
    }
    const save = async (tab: Page) => await tab.getByRole('button', { name: 'Save', exact: true }).click()
    await openIn(desk.tab)
    await openIn(other)
    await other.getByLabel('Year').fill('5')
    await save(other)
    await other.getByText('Saved Heroides.').waitFor()
    await desk.tab.getByLabel('Name').fill('Publius Ovidius Naso')
    await save(desk.tab)
    await desk.said(/Saved Heroides, together with changes by /)
    const [merged] = await recordsOf(id)
    assert.deepEqual(merged?.data, { title: 'Heroides', year: 5, author: { name: 'Publius Ovidius Naso' } })

    await openIn(desk.tab)
    await openIn(other)
    await other.getByLabel('Year').fill('6')
    await other.getByLabel('Title').fill('Epistulae')
    await save(other)
    await other.getByText('Saved Epistulae.').waitFor()
    await desk.tab.getByLabel('Year').fill('7')
    await save(desk.tab)
    await dialog().getByText('changed the same field meanwhile').waitFor()
    const year = dialog().getByRole('region', { name: 'Year' })
    assert.deepEqual(await year.locator('dd').allTextContents(), ['6', '7'])
    await year.getByLabel('Mine').check()
    await save(desk.tab)
    await desk.said(/Saved Epistulae/)
    assert.deepEqual((await recordsOf(id))[0]?.data, {
      title: 'Epistulae',
      year: 7,
      author: { name: 'Publius Ovidius Naso' },
    })

    await openIn(desk.tab)
    await desk.service.api().delete(`/collections/${id}/records/${record}`).expect(200)
    await desk.tab.getByLabel('Year').fill('8')
    await save(desk.tab)
    await dialog().getByText('Somebody deleted this record meanwhile').waitFor()
    await desk.button('Save as a new record').click()
    await desk.said('Added Epistulae to Books.')
    await other.context().close()
  })

  it('chooses a picture of the site, or uploads one', async () => {
    const png = Buffer.from(PIXEL, 'base64')
    await desk.service.api().put('/files?path=/img/cover.png').type('image/png').send(png).expect(201)
    const properties = {
      title: { type: 'string' },
      cover: { type: 'string', format: 'uri-reference' },
      back: { type: 'string', format: 'uri', contentMediaType: 'image/*' },
    }
    const id = await makeCollection('pictures', { type: 'object', properties })
    await open(id)
    await desk.button('New record').click()
    await desk.tab.getByLabel('Title').fill('Ibis')
    await dialog().locator('.field', { hasText: 'Cover' }).getByRole('button', { name: 'Choose…' }).click()
    await desk.tab.getByLabel('Search path').fill('cover')
    await desk.tab.keyboard.press('Enter')
    await desk.button('/img/cover.png').click()
    await dialog().locator('.thumbnail img').waitFor()
    await dialog().locator('.field', { hasText: 'Back' }).getByRole('button', { name: 'Choose…' }).click()
    const file = { name: 'Back side.png', mimeType: 'image/png', buffer: png }
    await desk.tab.getByLabel('A picture to upload').setInputFiles(file)
    await desk.button('Add', dialog()).waitFor()
    await desk.button('Add', dialog()).click()
    await desk.said('Added Ibis to pictures.')
    const { data } = (await recordsOf(id))[0] ?? {}
    assert.equal(data?.['cover'], '/img/cover.png')
    assert.match(String(data?.['back']), /^http:.*\/img\/back-side\.png$/)
  })

  it('exports a collection as CSV, and imports such a file, with the wrong lines told before', async () => {
    const id = await makeCollection('csv', BOOKS)
    await addRecord(id, { title: 'Medea', year: 1, author: { name: 'Ovid' }, pages: [{ number: 1 }] })
    await addRecord(id, { title: 'Two, or "three"', kind: 'prose' })
    await open(id)
    const choose = async (action: string) => {
      await desk.button('Actions for Books').click()
      await desk.tab.getByRole('menuitem', { name: action }).click()
    }
    const downloading = desk.tab.waitForEvent('download')
    await choose('Export as CSV')
    const download = await downloading
    await desk.said('Exported 2 records of Books.')
    assert.equal(download.suggestedFilename(), 'csv.csv')
    const text = readFileSync(await download.path(), 'utf8')
    const lines = ['\uFEFFtitle,year,kind,author.name,pages', 'Medea,1,,Ovid,"[{""number"":1}]"']
    assert.deepEqual(text.split('\r\n'), [...lines, '"Two, or ""three""",,prose,,', ''])

    const give = async (content: string) => {
      const buffer = Buffer.from(content)
      await desk.tab.getByLabel('A CSV file').setInputFiles({ name: 'more.csv', mimeType: 'text/csv', buffer })
    }
    await choose('Import CSV…')
    await give(`${text}lower,eight,,,\r\nlower,8,,,\r\nIbis,9,verse,,\r\n`)
    await dialog().getByText('more.csv has 3 good records and 2 wrong lines.').waitFor()
    const wrong = await dialog().getByRole('region', { name: 'Wrong lines' }).getByRole('row').allTextContents()
    assert.deepEqual(wrong.slice(1), [
      'Line 4year: Write a number, such as 12.',
      'Line 5title: It must match the pattern ^[A-Z].',
    ])
    await desk.button('Import the other 3 records').click()
    await desk.said('Added 3 records to Books.')
    const titles = async () => (await recordsOf(id)).map(({ data }) => data['title'])
    assert.deepEqual(await titles(), ['Medea', 'Two, or "three"', 'Medea', 'Two, or "three"', 'Ibis'])
    const [first, , third] = await recordsOf(id)
    assert.deepEqual(third?.data, first?.data)
    await desk.undo()
    await desk.said('The import is undone.')
    assert.equal((await titles()).length, 2)
  })

  it('changes the fields of a collection, renames it, and deletes it after a question', async () => {
    const id = await makeCollection('events', {
      type: 'object',
      properties: { title: { type: 'string', maxLength: 9 } },
    })
    await addRecord(id, { title: 'Fair' })
    await open(id)
    const choose = async (action: string) => {
      await desk.button(/^Actions for (?:events|Our events)$/).click()
      await desk.tab.getByRole('menuitem', { name: action }).click()
    }
    await choose('Fields…')
    await desk.button('Add a field').click()
    await desk.tab.keyboard.insertText('Day')
    await desk.tab.getByLabel('Kind of Day').selectOption('date')
    await desk.button('Move Day up').click()
    await desk.tab.getByLabel('JSON Schema').check()
    await desk.tab.getByRole('textbox', { name: 'JSON Schema' }).getByText('"maxLength"').waitFor()
    await desk.button('Save').click()
    await desk.said('Saved the fields of events.')
    await desk.tab.getByRole('columnheader', { name: 'Day' }).waitFor()

    await choose('Rename…')
    await desk.tab.getByLabel('Title').fill('Our events')
    assert.equal(await desk.tab.getByLabel('Name', { exact: true }).inputValue(), 'our-events')
    await desk.button('Rename').click()
    await desk.said('Renamed events to Our events.')
    await desk.tab.getByRole('heading', { name: 'Our events' }).waitFor()
    const { body } = await desk.service.api().get(`/collections/${id}`).expect(200)
    assert.equal((body as Answer<{ name: string }>).data.name, 'our-events')

    await choose('Delete the collection…')
    await dialog().getByText('its 1 record').waitFor()
    await dialog().getByText('The history of the site keeps all of it').waitFor()
    await desk.button('Delete the collection', dialog()).click()
    await desk.said('Deleted Our events.')
    await desk.tab.waitForURL(desk.at('/sites/demo/collections'))
    await desk.service.api().get(`/collections/${id}`).expect(404)
  })

  it('shows records without a schema by what they have, and holds only the rows near the window', async () => {
    const id = await makeCollection('loose', null)
    const operations = Array.from({ length: 200 }, (_, n) => ({
      op: 'createRecord',
      collectionId: id,
      data: { name: `Thing ${n}`, size: n },
    }))
    await desk.service.api().post('/batch').send({ operations }).expect(200)
    await addRecord(id, { name: 'The last', size: 5 })
    await open(id)
    await desk.tab.getByRole('columnheader', { name: 'Size' }).waitFor()
    await desk.button('More records').click()
    await desk.button('More records').waitFor({ state: 'detached' })
    const held = await desk.tab.getByRole('rowheader').count()
    assert.ok(held < 80, `${held} rows`)
    await desk.tab.evaluate('scrollTo(0, document.body.scrollHeight)')
    await desk.tab.getByRole('rowheader', { name: 'The last' }).getByRole('button').click()
    await desk.tab.getByLabel('Size').fill('6')
    await desk.button('Save').click()
    await desk.said('Saved The last.')
  })

  it('is done by keyboard alone, and passes axe in each dialog', async () => {
    const id = await makeCollection('keyboard', BOOKS)
    const tab = await desk.signIn({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' })
    await open(id, tab)
    await tab.getByText('No records yet').waitFor()
    const press = async (...keys: string[]) => {
      for (const key of keys) await tab.keyboard.press(key)
    }
    await press('n')
    await tab.getByRole('dialog').waitFor()
    assert.deepEqual(await faultsIn(tab), [])
    await tab.getByLabel('Title').focus()
    await tab.keyboard.insertText('Tristia')
    await press('Enter')
    await tab.getByText('Added Tristia to Books.').waitFor()
    await tab.getByRole('rowheader', { name: 'Tristia' }).waitFor()
    assert.equal(await tab.evaluate('document.documentElement.scrollWidth'), 390)
    assert.deepEqual(await faultsIn(tab), [])
    await tab.getByRole('rowheader', { name: 'Tristia' }).getByRole('button').click()
    await tab.getByRole('dialog', { name: 'Tristia' }).waitFor()
    await press('Escape')
    await tab.getByRole('button', { name: 'Actions for Tristia' }).focus()
    await press('Enter', 'ArrowDown', 'Enter')
    await tab.getByText('Deleted Tristia from Books.').waitFor()
    await tab.getByText('No records yet').waitFor()
    for (const action of ['Fields…', 'Rename…', 'Import CSV…', 'Delete the collection…']) {
      await tab.getByRole('button', { name: 'Actions for Books' }).focus()
      await press('Enter')
      await tab.getByRole('menuitem', { name: action }).focus()
      await press('Enter')
      await tab.getByRole('dialog').waitFor()
      assert.deepEqual(await faultsIn(tab), [], action)
      await press('Escape')
      await tab.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await tab.context().close()
  })
})

async function faultsIn(tab: Page): Promise<string[]> {
  await tab.evaluate(AXE)
  return await tab.evaluate<string[]>(`axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`)
}
