// Puts the operations of a batch into the API's form. An agent names them as the tools that do the same, and gives them the same arguments.

import { fitValue, type ShapeSchema, takesNull } from './fit-value.js'
import type { Tool } from '../tools/tool.js'

type Fields = Record<string, unknown>

/** The schema of one operation. */
interface Form extends ShapeSchema {
  properties: Record<string, ShapeSchema> & { op: { const: string } }
}

/** The API's operation for each tool. Two are no tools of their own: `put_page` creates a page or replaces it, `move_page` moves one. */
const OPERATION_OF_TOOL: Readonly<Record<string, string>> = {
  create_page: 'createPage',
  put_page: 'putPage',
  update_page: 'replacePage',
  edit_page: 'editContent',
  retitle_page: 'retitlePage',
  move_page: 'movePage',
  delete_page: 'unpublishPage',
  put_file: 'putFile',
  delete_file: 'deleteFile',
  create_record: 'createRecord',
  update_record: 'putRecord',
  delete_record: 'deleteRecord',
}

const NAMES = Object.keys(OPERATION_OF_TOOL).join(', ')

/** Returns the arguments of a batch with its operations in the API's form, or the fault of those that are no operations. */
export function fitOperations(tool: Tool, given: Fields): { given: Fields; fault: string | undefined } {
  const { operations } = given
  if (!Array.isArray(operations)) return { given, fault: undefined }
  const forms = formsOf(tool)
  const unknown: string[] = []
  const fitted = operations.map((operation: unknown, index) => {
    if (typeof operation !== 'object' || operation === null) return operation
    const { op, type, ...fields } = operation as Fields
    const name = operationOf(op ?? type, forms)
    if (name === undefined) unknown.push(`operations/${index}/op must be one of ${NAMES}`)
    return name === undefined
      ? operation
      : fitValue({ op: name, ...fitFields(fields, forms.get(name)) }, forms.get(name))
  })
  const [first] = unknown
  const fault = first === undefined ? undefined : `The arguments are not valid: ${first}.`
  return { given: { ...given, operations: fitted }, fault }
}

/** Returns the API's name of an operation, for this name or that of a tool, in either spelling: `delete_page`, `deletePage`. */
function operationOf(op: unknown, forms: ReadonlyMap<string, Form>): string | undefined {
  if (typeof op !== 'string') return undefined
  const snake = op.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const camel = op.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return OPERATION_OF_TOOL[snake] ?? [op, camel].find((name) => forms.has(name))
}

/** Gives fields the API's names and form: a tool of records names its collection by `id`, and a tag needs no quotes. */
function fitFields(fields: Fields, form: Form | undefined): Fields {
  const { id, ifMatch, ...rest } = withoutNothing(fields, form)
  const named =
    id === undefined ? {} : isOnRecord(form) && rest['collectionId'] === undefined ? { collectionId: id } : { id }
  const isBare = typeof ifMatch === 'string' && /^[0-9a-f]{40}$/.test(ifMatch)
  return { ...named, ...rest, ...(ifMatch !== undefined && { ifMatch: isBare ? `"${ifMatch}"` : ifMatch }) }
}

/** Leaves out null for nothing: some hosts let a model write all fields of all operations, each time. */
function withoutNothing(fields: Fields, form: Form | undefined): Fields {
  const properties: Readonly<Record<string, ShapeSchema>> = form?.properties ?? {}
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== null || takesNull(properties[name])),
  )
}

function isOnRecord(form: Form | undefined): boolean {
  return form !== undefined && 'collectionId' in form.properties
}

/** The schemas of the operations, by the API's names. */
function formsOf({ operation: { body } }: Tool): Map<string, Form> {
  const { items } = (body?.json.properties['operations'] ?? {}) as unknown as { items?: { oneOf: Form[] } }
  return new Map(items?.oneOf.map((form) => [form.properties.op.const, form]))
}
