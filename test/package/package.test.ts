import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { cli, install, packVersions, runScript, whileRunning, write } from './installed-project.ts'

const { devDependencies } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
) as { devDependencies: Record<string, string> }

/** A plugin package as somebody else would publish it. */
const pluginSource = `
import {
  databaseService, defineExtension, defineRoute, entryCreated, query, routes, type SQL, sql, type Static, Type,
} from 'mortise/plugin'

const greeting = Type.Object({ name: Type.String({ minLength: 1 }) })

/** The name to greet by default. */
export type Greeting = Static<typeof greeting>

const one: SQL = sql\`select \${1}\`

export default defineExtension({
  name: 'greetings',
  description: 'Greets',
  version: '1.0.0',
  uses: { database: databaseService },
  register({ contribute, on, log }) {
    on(entryCreated, ({ contentType }) => log.info({ contentType }, 'created'))
    contribute(
      routes,
      defineRoute({
        name: 'greetings:greeting.read',
        method: 'GET',
        path: '/:name',
        summary: 'Greets somebody',
        access: 'open',
        params: greeting,
        handler: ({ params }) => ({ text: \`Hello, \${params.name}\`, isSql: one.getSQL() === one }),
      }),
    )
  },
})
`

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  declaration: true,
}

const noteSchema = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'text' } },
}

let folder: string
let project: string

before(async () => {
  folder = await packVersions(['1.0.0', '1.1.0'])
  project = join(folder, 'site')
  mkdirSync(project)
  write(project, 'package.json', JSON.stringify({ name: 'site', private: true, type: 'module' }))
  write(project, 'mortise.config.ts', `export default { plugins: { 'mortise-greetings': true as boolean } }`)
  write(project, 'schemas/note.json', JSON.stringify(noteSchema))
  write(
    project,
    'plugins/local/plugin.ts',
    `import { defineExtension } from 'mortise/plugin'
     const name: string = 'local'
     export default defineExtension({ name, description: 'Nothing', version: '1.0.0' })`,
  )
  const tools = ['typescript', '@types/node'].map((name) => `${name}@${devDependencies[name]}`)
  await install(project, join(folder, 'mortise-1.0.0.tgz'), ...tools)
})

after(() => rmSync(folder, { recursive: true, force: true }))

describe('the package in a folder of its own', { concurrency: 1 }, () => {
  it('types a plugin package strictly, its own declarations included', async () => {
    write(project, 'greetings/plugin.ts', pluginSource)
    write(
      project,
      'greetings/everything.ts',
      `export * as service from 'mortise'\nexport * as plugin from 'mortise/plugin'\nexport * as testing from 'mortise/testing'`,
    )
    write(project, 'greetings/tsconfig.json', JSON.stringify({ compilerOptions }))
    write(
      project,
      'greetings/package.json',
      JSON.stringify({
        name: 'mortise-greetings',
        version: '1.0.0',
        type: 'module',
        exports: './plugin.js',
        peerDependencies: { mortise: '>=1.0.0' },
      }),
    )
    await runScript(project, 'typescript/bin/tsc', '-p', 'greetings')
  })

  it('runs it in production, and keeps everything through an upgrade', async () => {
    await install(project, './greetings')
    const id = await whileRunning(project, async ({ admin, output }) => {
      const { body } = await admin.get('/api/x/greetings/Ann')
      assert.deepEqual(body.data, { text: 'Hello, Ann', isSql: true })
      assert.doesNotMatch(output(), /cannot be loaded/)
      return (await admin.post('/api/content/note', { text: 'kept' })).body.data.id
    })
    assert.match(await runScript(project, cli, 'plugins'), /^local +on/m)
    assert.match(await runScript(project, cli, '--version'), /^1\.0\.0/)
    await install(project, join(folder, 'mortise-1.1.0.tgz'))
    assert.match(await runScript(project, cli, '--version'), /^1\.1\.0/)
    await whileRunning(project, async ({ admin }) => {
      assert.equal((await admin.get(`/api/content/note/${id}`)).body.data.text, 'kept')
      assert.equal((await admin.get('/api/x/greetings/Bo')).body.data.text, 'Hello, Bo')
    })
  })

  it('keeps the native server through a prune, and serves through node:http without it', async () => {
    assert.match(await runScript(project, cli, 'prune'), /Deleted \d{3} MB/)
    await whileRunning(project, async ({ output }) => assert.match(output(), /"server":"hyper-express"/))
    rmSync(join(project, 'node_modules/uWebSockets.js'), { recursive: true })
    await whileRunning(project, async ({ admin, output }) => {
      assert.match(output(), /"server":"node-http"/)
      assert.equal((await admin.get('/api/x/greetings/Cy')).body.data.text, 'Hello, Cy')
    })
  })
})
