import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import {
  type ArchivedSchemaFile,
  createSchemaFiles,
} from '../../core-plugins/administration/backups/restore/schema-files.ts'
import { AppError } from '../../core-plugins/foundation/http/http.ts'
import { createSchemaCheck } from '../../core-plugins/foundation/schemas/checks/schema-check.ts'

const type = (name: string, attributes: object = { title: { type: 'string' } }) =>
  JSON.stringify({
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes,
  })

const component = JSON.stringify({
  uid: 'shared.seo',
  category: 'shared',
  info: { displayName: 'SEO' },
  attributes: { title: { type: 'string' } },
})

const file = (section: 'schemas' | 'components', name: string, content: string): ArchivedSchemaFile => ({
  section,
  name,
  content: Buffer.from(content),
})

describe('the schema files of a restore', () => {
  const temporaryBefore = process.env.TMPDIR
  let root: string
  let directory: string

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'mortise-test-schema-files-'))
    directory = join(root, 'schemas')
    // Of its own, to see what stays behind.
    process.env.TMPDIR = join(root, 'tmp')
    mkdirSync(process.env.TMPDIR)
  })
  afterEach(() => {
    if (temporaryBefore === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = temporaryBefore
    rmSync(root, { recursive: true })
  })

  function put(files: Readonly<Record<string, string>>) {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true })
      writeFileSync(join(directory, name), content)
    }
  }

  const here = () => readdirSync(directory, { recursive: true }).map(String).sort()

  it('are those that a service reads, in the order of their names', async () => {
    const files = createSchemaFiles(directory, createSchemaCheck())
    assert.deepEqual(await files.list(), [])
    put({
      ...{ 'b.json': '{}', 'a.json': '{}', '.hidden.json': '{}', 'notes.txt': '', 'x.json.bak': '' },
      ...{
        'folder.json/inner.json': '{}',
        'components/shared.seo.json': '{}',
        'components/.part.partial': '',
      },
    })
    assert.deepEqual(await files.list(), [
      { section: 'schemas', name: 'a.json' },
      { section: 'schemas', name: 'b.json' },
      { section: 'components', name: 'shared.seo.json' },
    ])
    assert.equal(
      files.pathOf({ section: 'components', name: 'x.json' }),
      join(directory, 'components', 'x.json'),
    )
  })

  it('are compared byte by byte, section by section', async () => {
    put({ 'same.json': '1', 'other.json': '2', 'mine.json': '3', 'components/same.json': '4' })
    const files = createSchemaFiles(directory, createSchemaCheck())
    const archived = [
      file('schemas', 'same.json', '1'),
      file('schemas', 'other.json', '2 '),
      file('schemas', 'new.json', '5'),
      file('components', 'same.json', '1'),
    ]
    const contents = (section: string) =>
      new Map(archived.flatMap((each) => (each.section === section ? [[each.name, each.content]] : [])))
    assert.deepEqual(await files.compare('schemas', contents('schemas')), {
      ...{ added: ['new.json'], changed: ['other.json'], unchanged: ['same.json'], kept: ['mine.json'] },
    })
    assert.deepEqual(await files.compare('components', contents('components')), {
      ...{ added: [], changed: ['same.json'], unchanged: [], kept: [] },
    })
    assert.deepEqual(
      (await files.differing(archived)).map(({ section, name }) => `${section}/${name}`),
      ['schemas/other.json', 'schemas/new.json', 'components/same.json'],
    )
  })

  it('are tried beside those that are here, and leave nothing behind', async () => {
    put({ 'author.json': type('author') })
    const files = createSchemaFiles(directory, createSchemaCheck())
    const seo = file('components', 'shared.seo.json', component)
    const article = file(
      'schemas',
      'article.json',
      type('article', {
        author: { type: 'relation', relation: 'manyToOne', target: 'author' },
        seo: { type: 'component', component: 'shared.seo' },
      }),
    )
    await files.assertUsable([article, seo])
    await assert.rejects(
      files.assertUsable([article]),
      (error) =>
        error instanceof AppError &&
        error.code === 'CONFLICT' &&
        /could not start/.test(error.message) &&
        error.details?.every(({ path, code }) => path.includes('article') && code === 'schema') === true,
    )
    assert.deepEqual(here(), ['author.json', 'components'])
    assert.deepEqual(readdirSync(join(root, 'tmp')), [])
  })

  it('can be tried where there are none yet', async () => {
    await createSchemaFiles(directory, createSchemaCheck()).assertUsable([
      file('schemas', 'author.json', type('author')),
    ])
    assert.deepEqual(here(), [])
  })

  it('are refused where they cannot be written, unless there is nothing to write', async () => {
    writeFileSync(directory, 'no folder')
    const files = createSchemaFiles(directory, createSchemaCheck())
    await files.assertUsable([])
    const names = ['a.json', 'b.json', 'c.json', 'd.json', 'e.json']
    const all = names.map((name) => file('schemas', name, type('author')))
    const said = (end: string) => (error: unknown) =>
      error instanceof AppError &&
      error.code === 'CONFLICT' &&
      error.message.includes(`contents of ${end}: mount`)
    await assert.rejects(
      files.assertUsable(all),
      said('schemas/a.json, schemas/b.json, schemas/c.json, 2 more'),
    )
    await assert.rejects(
      files.assertUsable(all.slice(0, 3)),
      said('schemas/a.json, schemas/b.json, schemas/c.json'),
    )
  })

  it('are written whole, folders included, and no other file stays', async () => {
    put({ 'author.json': 'before' })
    await createSchemaFiles(directory, createSchemaCheck()).write([
      file('schemas', 'author.json', 'after'),
      file('components', 'shared.seo.json', component),
    ])
    assert.deepEqual(here(), ['author.json', 'components', 'components/shared.seo.json'])
    assert.equal(readFileSync(join(directory, 'author.json'), 'utf8'), 'after')
  })

  it('leave no half of themselves where they cannot take their place', async () => {
    put({ 'author.json/in the way.txt': '' })
    const files = createSchemaFiles(directory, createSchemaCheck())
    await assert.rejects(files.write([file('schemas', 'author.json', 'after')]))
    assert.deepEqual(here(), ['author.json', 'author.json/in the way.txt'])
  })
})
