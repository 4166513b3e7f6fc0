import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createConfigPlugin } from '../../core-plugins/config/config.ts'
import { type TableSpec, tables } from '../../core-plugins/database/database.ts'
import { schemasPlugin } from '../../core-plugins/schemas/plugin.ts'
import { schemasService } from '../../core-plugins/schemas/schemas.ts'
import { createKernel, definePlugin, silentLog } from '../../kernel/index.ts'

describe('the sample schemas', () => {
  it('become types, components and tables', async () => {
    let declared: readonly TableSpec[] = []
    const listener = definePlugin({
      name: 'listener',
      description: 'Sees the tables',
      boot({ contributions }) {
        declared = contributions(tables)
      },
    })
    const kernel = createKernel({
      plugins: [createConfigPlugin({ env: {}, workingDirectory: '.' }), schemasPlugin, listener],
      log: silentLog,
    })
    await kernel.start()
    const schemas = kernel.get(schemasService)
    await kernel.stop()
    assert.ok(declared.some((table) => table.name === 'link_country_borders'))
    assert.deepEqual(
      [...schemas.types.keys()],
      ['article', 'author', 'category', 'country', 'currency', 'homepage', 'language', 'region'],
    )
  })
})
