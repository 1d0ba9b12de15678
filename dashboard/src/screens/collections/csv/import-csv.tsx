// The dialog that adds the records of a CSV file. It shows first what the file has, and which lines are wrong.

import { useState } from 'preact/hooks'
import type { Collection, Site } from '../../../api/client.js'
import { formatCount } from '../../../format.js'
import { Button } from '../../../parts/controls/button.js'
import { FileChooser } from '../../../parts/controls/file-chooser.js'
import { Table } from '../../../parts/lists/table.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { notify, notifyFailure } from '../../../parts/overlays/notices.js'
import { type Done, Progress } from '../../../parts/states/progress.js'
import type { Field } from '../fields/field.js'
import { firstFields } from '../fields/record-title.js'
import { undoCommits } from '../form/save-record.js'
import { titleOfCollection } from '../schema/collection-name.js'
import { cellText } from '../table/cell-text.js'
import { type LineProblem, type ReadRecord, readRecords, type ReadTable } from './csv-records.js'
import { addRecords, tryRecords } from './import-records.js'

const MAX_FILE_BYTES = 16 * 1024 * 1024
const MAX_SHOWN_RECORDS = 5
const MAX_SHOWN_PROBLEMS = 50
const MAX_COLUMNS = 4

interface ImportCsvProps {
  site: Site
  collection: Collection
  fields: readonly Field[]
  onClose: () => void
  onChanged: () => void
}

interface Chosen extends ReadTable {
  name: string
}

export function ImportCsv({ site, collection, fields, onClose, onChanged }: ImportCsvProps) {
  const [chosen, setChosen] = useState<Chosen>()
  const [progress, setProgress] = useState<Done>()
  const [isReading, setReading] = useState(false)
  const title = titleOfCollection(collection)
  const good = chosen?.records ?? []
  const read = async (file: File) => {
    setReading(true)
    try {
      if (file.size > MAX_FILE_BYTES) throw new Error(`${file.name} has more than 16 MiB: split it into several files.`)
      setChosen({ name: file.name, ...(await judge(await file.text())) })
    } catch (error) {
      notifyFailure(error)
    }
    setReading(false)
  }
  const judge = async (text: string): Promise<ReadTable> => {
    const { records, problems } = readRecords(text, fields)
    const refused = await tryRecords(site, collection, records)
    const lines = new Set(refused.map(({ line }) => line))
    return {
      records: records.filter(({ line }) => !lines.has(line)),
      problems: [...problems, ...refused].toSorted((a, b) => a.line - b.line),
    }
  }
  const add = async () => {
    if (good.length === 0) return
    const commits: string[] = []
    try {
      setProgress({ done: 0, all: good.length })
      const onDone = (done: number) => setProgress({ done, all: good.length })
      commits.push(...(await addRecords(site, collection, good, onDone)))
      const undo = async () => {
        await undoCommits(site, commits)
        notify('The import is undone.')
        onChanged()
      }
      const run = () => void undo().catch(notifyFailure)
      notify(`Added ${formatCount(good.length, 'record')} to ${title}.`, { label: 'Undo', run })
      onClose()
    } catch (error) {
      notifyFailure(error)
      setProgress(undefined)
    }
    onChanged()
  }
  const others = chosen !== undefined && chosen.problems.length > 0 ? 'the other ' : ''
  return (
    <Dialog
      title={`Import records to ${title}`}
      onClose={onClose}
      onSubmit={add}
      wide
      actions={
        progress === undefined ? (
          <>
            <FileChooser
              label={chosen ? 'Choose another file…' : 'Choose a CSV file…'}
              fieldLabel="A CSV file"
              kind="file"
              accept=".csv,.tsv,text/csv,text/plain"
              onChoose={([file]) => file && void read(file)}
            />
            <Button type="submit" kind="main" disabled={good.length === 0} isBusy={isReading}>
              {good.length === 0 ? 'Import' : `Import ${others}${formatCount(good.length, 'record')}`}
            </Button>
          </>
        ) : undefined
      }
    >
      {chosen === undefined ? (
        <p>
          The first line names the fields. Each further line becomes a new record, and records that are there stay as
          they are. Export the collection to see the form.
        </p>
      ) : (
        <Preview {...chosen} fields={fields} />
      )}
      {progress && <Progress label="Importing" of={progress} />}
    </Dialog>
  )
}

function Preview({ name, records, problems, fields }: Chosen & { fields: readonly Field[] }) {
  return (
    <>
      <p role="status">
        {name} has {formatCount(records.length, 'good record')}
        {problems.length === 0 ? '.' : ` and ${formatCount(countLines(problems), 'wrong line')}.`}
      </p>
      {problems.length > 0 && <Problems problems={problems} />}
      {records.length > 0 && <Sample records={records} fields={fields} />}
    </>
  )
}

function Problems({ problems }: { problems: readonly LineProblem[] }) {
  const rows = problems.slice(0, MAX_SHOWN_PROBLEMS).map(({ line, message }, at) => ({
    key: String(at),
    cells: [`Line ${line}`, <span class="long-text wrong">{message}</span>],
  }))
  const others = problems.length - rows.length
  return (
    <>
      <h3>Wrong lines, which stay out</h3>
      <Table label="Wrong lines" columns={['Line', 'What is wrong']} headingAt={0} rows={rows} />
      {others > 0 && <p class="hint">And {formatCount(others, 'other')}.</p>}
    </>
  )
}

function Sample({ records, fields }: { records: readonly ReadRecord[]; fields: readonly Field[] }) {
  const columns = firstFields(fields, MAX_COLUMNS)
  const rows = records.slice(0, MAX_SHOWN_RECORDS).map(({ line, data }) => ({
    key: String(line),
    cells: columns.map(({ name, shape }) => <span class="value">{cellText(shape, data[name])}</span>),
  }))
  if (columns.length === 0) return null
  return (
    <>
      <h3>The first records</h3>
      <Table label="The first records" columns={columns.map(({ label }) => label)} rows={rows} />
    </>
  )
}

function countLines(problems: readonly LineProblem[]): number {
  return new Set(problems.map(({ line }) => line)).size
}
