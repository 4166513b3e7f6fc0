import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createConfigPlugin } from '../../core-plugins/foundation/config/config.ts'
import { type TableSpec, tables } from '../../core-plugins/foundation/database/database.ts'
import { schemasPlugin } from '../../core-plugins/foundation/schemas/plugin.ts'
import { contentTables, type Schemas, schemasService } from '../../core-plugins/foundation/schemas/schemas.ts'
import {
  createKernel,
  definePlugin,
  type Log,
  type Plugin,
  StartupError,
  silentLog,
} from '../../kernel/index.ts'
import { type, withDirectory } from './schema-directory.ts'

interface Started {
  readonly schemas: Schemas
  readonly tables: ReadonlyMap<string, TableSpec>
  readonly warnings: readonly string[]
}

/** Starts config, schemas and `more`, and stops them again. */
async function start(
  workingDirectory: string,
  env: Record<string, string> = {},
  more: readonly Plugin[] = [],
): Promise<Started> {
  let declared: readonly TableSpec[] = []
  const warnings: string[] = []
  const log: Log = { ...silentLog, warn: (_fields, message) => warnings.push(message), child: () => log }
  const observer = definePlugin({
    name: 'observer',
    description: 'Sees the tables of the others',
    points: [tables],
    boot({ contributions }) {
      declared = contributions(tables)
    },
  })
  const plugins = [createConfigPlugin({ env, workingDirectory }), schemasPlugin, ...more, observer]
  const kernel = createKernel({ plugins, log })
  await kernel.start()
  const schemas = kernel.get(schemasService)
  await kernel.stop()
  return { schemas, tables: new Map(declared.map((table) => [table.name, table])), warnings }
}

describe('the schemas plugin', () => {
  it('declares the sample content types', async () => {
    const { schemas, tables } = await start('.')
    const names = ['article', 'author', 'category', 'country', 'currency', 'homepage', 'language', 'region']
    assert.deepEqual([...schemas.types.keys()], names)
    assert.ok(tables.has('link_country_borders'))
  })

  it('reads the directory that the setting names, and stops the start where it is wrong', async () => {
    const files = { 'elsewhere/post.json': type('post', {}), 'elsewhere/bad.json': '{' }
    await withDirectory(files, async (directory) => {
      const error = await start(directory, { SVC_SCHEMAS_DIR: 'elsewhere' }).catch(
        (reason: unknown) => reason,
      )
      assert.ok(error instanceof StartupError)
      assert.match(error.problems[0]?.subject ?? '', /^elsewhere\/bad\.json/)
    })
  })

  it('goes without content types where there is no directory, but not where one is named', async () => {
    await withDirectory({}, async (directory) => {
      const { schemas, warnings } = await start(directory)
      assert.equal(schemas.types.size, 0)
      assert.match(warnings.join(), /no schemas directory/)
      await assert.rejects(start(directory, { SVC_SCHEMAS_DIR: 'gone' }), /SVC_SCHEMAS_DIR: names gone/)
    })
  })

  it('lets other plugins amend the tables of types', async () => {
    const localisation = definePlugin({
      name: 'localisation',
      description: 'Adds a locale to every localised type',
      register({ contribute }) {
        contribute(contentTables, (type, table) =>
          type.options.i18n.enabled
            ? { ...table, columns: [...table.columns, { name: 'locale', kind: 'string', length: 35 }] }
            : table,
        )
      },
    })
    const post = type(
      'post',
      { slug: { type: 'string' } },
      {
        options: { i18n: { enabled: true } },
        indexes: [{ fields: ['slug', 'locale'], type: 'unique' }],
      },
    )
    await withDirectory({ 'schemas/post.json': post }, async (directory) => {
      const amended = (await start(directory, {}, [localisation])).tables.get('content_post')
      const uniques = (table?: TableSpec) =>
        table?.indexes?.filter(({ type, columns }) => type === 'unique' && !columns.includes('_uuid'))
      assert.deepEqual(uniques(amended), [{ columns: ['slug', 'locale'], type: 'unique' }])
      assert.equal(amended?.columns.at(-1)?.name, 'locale')
      const plain = (await start(directory)).tables.get('content_post')
      assert.deepEqual(uniques(plain), [{ columns: ['slug'], type: 'unique' }])
    })
  })
})
