import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { loadSchemas } from '../../core-plugins/foundation/schemas/files/load.ts'
import { readSchemaFiles } from '../../core-plugins/foundation/schemas/files/read-files.ts'
import type { SchemaFile } from '../../core-plugins/foundation/schemas/files/schema-source.ts'
import { generateTypes } from '../../core-plugins/foundation/schemas/schemas.ts'
import { tablesOf } from '../../core-plugins/foundation/schemas/tables.ts'
import { StartupError } from '../../kernel/index.ts'
import { slow } from '../support/scope.ts'

/** Loads and uses the files; the only failure allowed is a report that names a file in every line. */
function loadOrReport(files: readonly SchemaFile[]) {
  try {
    const schemas = loadSchemas(files)
    tablesOf(schemas, [])
    generateTypes(schemas)
  } catch (error) {
    assert.ok(error instanceof StartupError, String(error instanceof Error ? error.stack : error))
    for (const problem of error.problems) {
      assert.match(problem.subject, /\.json/)
      assert.ok(problem.message !== '' && problem.remedy !== '')
    }
  }
}

const kinds = ['content-type', 'component', 'extension'] as const

const words = [
  'type',
  'string',
  'relation',
  'target',
  'mappedBy',
  'inversedBy',
  'manyToOne',
  'oneToMany',
  'component',
  'dynamicZone',
  'components',
  'shared.seo',
  'article',
  'author',
  'user',
  'attributes',
  'condition',
  'field',
  'operator',
  'eq',
  'default',
  'enum',
  'min',
  'max',
  'renamedFrom',
  'id',
  '__proto__',
  'constructor',
  'toString',
  'locale',
  '',
]

const anyJson = fc.oneof(
  fc.constantFrom<unknown>(...words, -1, 0, 1.5, 1e300, null, true, [], {}),
  fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown),
)

/** Every place in a JSON value, as the keys on the way. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))]
}

/** A copy with something else at a place, under the same key or another one. */
function replaceAt(value: unknown, path: readonly string[], replacement: unknown, newKey?: string): unknown {
  const [key, ...rest] = path
  if (key === undefined || typeof value !== 'object' || value === null) return replacement
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    if (name !== key) return [name, inner]
    return [rest.length === 0 ? (newKey ?? name) : name, replaceAt(inner, rest, replacement, newKey)]
  })
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}

describe('files of any content', () => {
  it('yield problems, never a crash', slow, () => {
    const anyFile = fc.record({
      kind: fc.constantFrom(...kinds),
      name: fc.constantFrom('article', 'user', 'shared.seo', 'x'),
      content: anyJson,
    })
    fc.assert(
      fc.property(fc.array(anyFile, { maxLength: 4 }), (files) => {
        loadOrReport(files.map((file) => ({ ...file, path: `schemas/${file.name}.json` })))
      }),
      { numRuns: 500 },
    )
  })

  it('yield problems, never a crash, when one place of a good file goes bad', slow, async () => {
    const { files } = await readSchemaFiles('schemas', 'schemas')
    const places = files.flatMap((file) => placesIn(file.content).map((path) => ({ file, path })))
    const change = fc.record({
      place: fc.constantFrom(...places),
      replacement: anyJson,
      newKey: fc.option(fc.constantFrom(...words), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        loadOrReport(
          changes.reduce<readonly SchemaFile[]>(
            (changed, { place, replacement, newKey }) =>
              changed.map((file) =>
                file.path === place.file.path
                  ? { ...file, content: replaceAt(file.content, place.path, replacement, newKey) }
                  : file,
              ),
            files,
          ),
        )
      }),
      { numRuns: 500 },
    )
  })
})
