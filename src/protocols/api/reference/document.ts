// The parts of the OpenAPI document that the reference shows.

export interface Document {
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OperationObject>>
  components: { schemas: Record<string, Schema> }
}

export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description: string
  /** Where it is, if not at the servers of the document. */
  servers?: { url: string }[]
  /** Empty if no key is needed. */
  security?: []
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, Answer>
}

export interface Parameter {
  name: string
  in: 'header' | 'path' | 'query'
  required: boolean
  description?: string
  schema: Schema
}

export interface Answer {
  description: string
  headers?: Record<string, { description: string }>
  content?: Record<string, { schema: Schema }>
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  title?: string
  description?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}
