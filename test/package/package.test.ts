import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { slow } from '../support/scope.ts'
import {
  cli,
  developUntilPrinted,
  install,
  npm,
  packVersions,
  type Running,
  runScript,
  scriptsLoadedAtStart,
  whileRunning,
  write,
} from './installed-project.ts'

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
) as { dependencies: Record<string, string>; devDependencies: Record<string, string> }

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

const sumsSource = `
import { Worker } from 'node:worker_threads'
import { defineExtension, defineRoute, routes } from 'mortise/plugin'

const answer = (): Promise<object> =>
  new Promise((resolve, reject) => {
    new Worker(new URL('./sum.ts', import.meta.url)).on('message', resolve).on('error', reject)
  })

export default defineExtension({
  name: 'sums',
  description: 'Adds in a thread',
  version: '1.0.0',
  register({ contribute }) {
    const path: string = '/sum'
    contribute(
      routes,
      defineRoute({ name: 'sums:sum.read', method: 'GET', path, summary: 'Adds', access: 'open', handler: answer }),
    )
  },
})
`

const sumSource = `
import { parentPort } from 'node:worker_threads'
import { Type } from 'mortise/plugin'

const sum: number = 1 + 2
parentPort?.postMessage({ sum, type: Type.String().type })
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

/** At the start of the service: its time depends on them, and unlike it they are the same on every machine. */
const mostScripts = 86
const mostBytes = 5_600_000

/** Loaded by what needs them: a setting, another database, the first request of their kind. */
const unneededPackages = [
  ...['@aws-sdk', '@orama', '@zxcvbn-ts', 'bullmq', 'esbuild', 'fastify', 'file-type', 'graphql'],
  ...[
    '@modelcontextprotocol/sdk',
    'ioredis',
    'mercurius',
    'mysql2',
    'nodemailer',
    'oauth4webapi',
    'pino-pretty',
    'piscina',
    'postgres',
  ],
  ...['sharp', 'undici'],
]

/** A form with a PNG of one pixel. */
const picture = {
  headers: { 'content-type': 'multipart/form-data; boundary=--part' },
  body: Buffer.concat([
    Buffer.from('----part\r\nContent-Disposition: form-data; name="file"; filename="dot.png"\r\n\r\n'),
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    Buffer.from('\r\n----part--\r\n'),
  ]),
}

/** Runs something while the native binaries in a folder are other files. */
async function withoutBinaries(folder: string, work: () => Promise<void>) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const binaries = files.filter((name) => name.endsWith('.node')).map((name) => join(folder, name))
  assert.notDeepEqual(binaries, [])
  for (const path of binaries) {
    renameSync(path, `${path}-away`)
    writeFileSync(path, 'not a library')
  }
  try {
    await work()
  } finally {
    for (const path of binaries) renameSync(`${path}-away`, path)
  }
}

let folder: string
let project: string

describe('the package in a folder of its own', { ...slow, concurrency: 1 }, () => {
  before(async () => {
    folder = await packVersions(['1.0.0', '1.1.0'])
    project = join(folder, 'site')
    mkdirSync(project)
    write(project, 'package.json', JSON.stringify({ name: 'site', private: true, type: 'module' }))
    write(
      project,
      'mortise.config.ts',
      `export default { plugins: { 'mortise-greetings': true as boolean, 'mortise-plugin-welcome': { greeting: 'Good day' } } }`,
    )
    write(project, 'schemas/note.json', JSON.stringify(noteSchema))
    write(
      project,
      'plugins/local/plugin.ts',
      `import { defineExtension } from 'mortise/plugin'
     const name: string = 'local'
     export default defineExtension({ name, description: 'Nothing', version: '1.0.0' })`,
    )
    const versions = { ...dependencies, ...devDependencies }
    const tools = ['typescript', 'tsx', '@types/node', '@types/react'].map(
      (name) => `${name}@${versions[name]}`,
    )
    await install(project, join(folder, 'mortise-1.0.0.tgz'), ...tools)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

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

  it('writes a plugin package that passes its own tests and strict types, and builds', async () => {
    await runScript(project, cli, 'create-plugin', 'welcome', '--package', '--panel')
    const written = join(project, 'mortise-plugin-welcome')
    // It finds what the project has installed.
    assert.match(await npm(written, 'test'), /pass 3\b/)
    await npm(written, 'run', 'check', '--', '--skipLibCheck', 'false')
    await npm(written, 'pack', '--pack-destination', folder)
    // Only the tarball is left, as for those who install it.
    rmSync(written, { recursive: true })
  })

  it('names the licences of what is part of it', () => {
    const licences = readFileSync(join(project, 'node_modules/mortise/THIRD-PARTY-LICENSES.txt'), 'utf8')
    for (const name of ['react', 'zod', 'tar-stream', 'Icons of Lucide'])
      assert.match(licences, new RegExp(`^${name} `, 'm'))
  })

  it('runs it in production, and keeps everything through an upgrade', async () => {
    await install(project, './greetings', join(folder, 'mortise-plugin-welcome-0.1.0.tgz'))
    const id = await whileRunning(project, async ({ admin, output, url }) => {
      const { body } = await admin.get('/api/x/greetings/Ann')
      assert.deepEqual(body.data, { text: 'Hello, Ann', isSql: true })
      assert.doesNotMatch(output(), /cannot be loaded/)
      const { body: welcome } = await admin.get('/api/x/welcome/Ann')
      assert.equal(welcome.data.message, 'Good day, Ann')
      const [module] = (await admin.get('/api/admin/panel')).body.data.modules
      assert.equal(module.problem, undefined)
      assert.match(await (await fetch(url + module.url)).text(), /\/x\/welcome\/editors/)
      // Its characters are looked up in a package that is loaded for them.
      const { id: chinese } = (await admin.post('/api/content/note', { text: '圖書館' })).body.data
      const { body: found } = await admin.get(`/api/search?q=${encodeURIComponent('图书馆')}`)
      assert.equal(found.data[0].id, chinese)
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

  it('starts from few scripts, and without packages that it may never need', async () => {
    await whileRunning(project, () => Promise.resolve())
    const scripts = await scriptsLoadedAtStart(project)
    const bytes = scripts.reduce((sum, file) => sum + statSync(file).size, 0)
    assert.ok(scripts.length <= mostScripts, `${scripts.length} scripts:\n${scripts.join('\n')}`)
    assert.ok(bytes <= mostBytes, `${bytes} bytes of scripts`)
    const loaded = scripts.filter((file) =>
      unneededPackages.some((name) => file.includes(`/node_modules/${name}`)),
    )
    assert.deepEqual(loaded, [])
  })

  it('runs it in development', async () => {
    await whileRunning(
      project,
      async ({ admin }) => {
        const { body } = await admin.post('/api/graphql', { query: '{ welcome(name: "Bo") }' })
        assert.deepEqual(body, { data: { welcome: 'Good day, Bo' } })
      },
      { command: 'dev' },
    )
  })

  it('translates a package in TypeScript and its threads ahead, for where nothing can be written', async () => {
    const manifest = { name: 'mortise-sums', version: '1.0.0', type: 'module', exports: './plugin.ts' }
    write(project, 'node_modules/mortise-sums/package.json', JSON.stringify(manifest))
    write(project, 'node_modules/mortise-sums/plugin.ts', sumsSource)
    write(project, 'node_modules/mortise-sums/sum.ts', sumSource)
    const config = readFileSync(join(project, 'mortise.config.ts'), 'utf8')
    write(project, 'mortise.config.ts', config.replace('{ plugins: {', `{ plugins: { 'mortise-sums': true,`))
    await runScript(project, cli, 'prepare')
    const esbuild = join(project, 'node_modules/esbuild')
    renameSync(esbuild, `${esbuild}-away`)
    try {
      await whileRunning(project, async ({ admin }) => {
        assert.deepEqual((await admin.get('/api/x/sums/sum')).body.data, { sum: 3, type: 'string' })
      })
    } finally {
      renameSync(`${esbuild}-away`, esbuild)
    }
  })

  it('says what to do where a translation cannot be written', async () => {
    const caches = join(project, 'node_modules/.cache')
    rmSync(caches, { recursive: true })
    writeFileSync(caches, '')
    try {
      await developUntilPrinted(
        project,
        /cannot be translated into node_modules\/\.cache: .*run `mortise prepare` while it can be/s,
      )
    } finally {
      rmSync(caches)
    }
  })

  it('names the package whose native code does not load, at the start, at work and in doctor', async () => {
    const modules = join(project, 'node_modules')
    const start = () => whileRunning(project, () => Promise.resolve())
    const doctor = () => runScript(project, cli, 'doctor')
    await withoutBinaries(join(modules, 'better-sqlite3/build'), async () => {
      await assert.rejects(
        start,
        /could not start:\n +better-sqlite3: has a binary that is damaged.* → .*npm ci/,
      )
      await assert.rejects(doctor, /database +broken +better-sqlite3 has a binary/)
    })
    await withoutBinaries(join(modules, '@node-rs'), async () => {
      const named = /cannot run here:\n +@node-rs\/argon2-[\w-]+: has a binary that is damaged/
      await assert.rejects(start, named)
      await assert.rejects(doctor, named)
    })
    const upload = ({ admin }: Running) =>
      admin.post('/api/upload', picture.body, { headers: picture.headers })
    const { body } = await whileRunning(project, upload)
    await withoutBinaries(join(modules, '@img'), async () => {
      await whileRunning(project, async (running) => {
        const named = '@img/sharp-[\\w-]+: has a binary that is damaged.* → .*npm ci'
        assert.equal((await upload(running)).status, 201)
        assert.match(running.output(), new RegExp(`thumbnails-task.js cannot run here: ${named}`))
        assert.equal((await running.admin.get(`${body.data.url}/w640.webp`)).status, 500)
        assert.match(running.output(), new RegExp(`transform-task.js cannot run here: ${named}`))
      })
      await assert.rejects(doctor, /images +broken +cannot be scaled: @img\/sharp-[\w-]+ has a binary/)
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
