// Reads what a TypeScript file imports, in every form that names another module.

import { parseSync, Visitor } from 'rolldown/utils'

export interface Import {
  /** The specifier as written: `../model/ids.js`, `node:fs`, `koa`. */
  specifier: string
  /** `url` stands for `new URL('…', import.meta.url)`, which names the entry of a thread or a file that is not a module. */
  form: 'import' | 'url'
}

/**
 * Finds imports, exports from, dynamic imports, types (`import type`, `import('…').Name`) and URLs relative to the module.
 * Throws if the text does not parse, or if a dynamic import computes the name of its module.
 */
export function readImports(file: string, text: string): Import[] {
  const { program, errors } = parseSync(file, text, { lang: 'ts' })
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)
  const found: Import[] = []
  const add = (specifier: string, form: Import['form'] = 'import') => void found.push({ specifier, form })
  new Visitor({
    ImportDeclaration: ({ source }) => add(source.value),
    ExportAllDeclaration: ({ source }) => add(source.value),
    ExportNamedDeclaration: ({ source }) => {
      if (source !== null) add(source.value)
    },
    TSImportType: ({ source }) => add(source.value),
    ImportExpression: ({ source }) => {
      if (source.type !== 'Literal' || typeof source.value !== 'string')
        throw new Error(`${file}: name the module of a dynamic import as a string`)
      add(source.value)
    },
    NewExpression: ({ callee, arguments: [path, base] }) => {
      if (callee.type !== 'Identifier' || callee.name !== 'URL') return
      if (base?.type !== 'MemberExpression' || base.object.type !== 'MetaProperty') return
      if (path?.type === 'Literal' && typeof path.value === 'string') add(path.value, 'url')
    },
  }).visit(program)
  return found
}
