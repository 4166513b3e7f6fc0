import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { readDeclarations } from '../../cli/partial-service.ts'
import { envNameOf, settings } from '../../core-plugins/foundation/config/config.ts'
import { createLog } from '../../core-plugins/foundation/log/log.ts'

const root = join(import.meta.dirname, '../..')
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
)
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

/** Read before there are settings; and a slip that docs/configuration.md shows. */
const otherVariables = ['SVC_CONFIG_FILE', 'SVC_PLUGINS_DISABLED', 'SVC_CORS_ORIGIN']

let variables: Set<string>

describe('the documentation', () => {
  before(async () => {
    const log = await createLog({ LOG_LEVEL: 'silent' })
    await readDeclarations({ env: {}, workingDirectory: root, log }, ({ contributions }) => {
      variables = new Set([...contributions(settings).map(envNameOf), ...otherVariables])
    })
  })

  for (const page of pages) {
    it(`names variables that there are: ${page}`, () => {
      const named = textOf(page).match(/\bSVC_[A-Z_]*[A-Z]\b/g) ?? []
      assert.deepEqual(
        named.filter((name) => !variables.has(name)),
        [],
      )
    })
  }
})
