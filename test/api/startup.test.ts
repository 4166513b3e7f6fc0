import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createClient, signIn } from '../support/client.ts'
import { moduleProject } from '../support/plugin-file.ts'
import { addressIn, type ServiceProcess, startProcess, watchOutput, withProject } from '../support/process.ts'
import { adminEmail, type ProjectOptions } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { commandLine } from '../support/script.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dirname, '../..')

/** A plugin of a project, which is not in the service's own folder. */
const pluginFile = (name: string, body: string) => `
import { appStart, definePlugin, defineRoute, routes } from 'mortise/plugin'
export default definePlugin({ name: '${name}', description: 'A plugin of a test.', ${body} })
`

/** Starts a process in a project of its own, lets `look` at it, and ends it. */
const withProcess = (options: ProjectOptions, look: (service: ServiceProcess) => Promise<void>) =>
  withProject(options, (project) => look(startProcess({ project })))

/** What a process writes that cannot start. */
async function failureOf(options: ProjectOptions): Promise<string> {
  let output = ''
  await withProcess(options, async (service) => {
    assert.deepEqual(await service.exited, { code: 1, signal: null })
    output = service.output()
  })
  return output
}

describe('npm start', { ...slow, concurrency: 2 }, () => {
  it('says where it is, reads .env, and prints the first password once', async () => {
    const env = { DEFAULT_ADMIN_PASSWORD: '', JWT_SECRET: '' }
    const files = {
      '.env': 'JWT_SECRET="0123456789 0123456789 0123456789"\nDEFAULT_ADMIN_EMAIL=no@example.com\n',
    }
    await withProject({ env, files }, async (project) => {
      const withoutSecret = { JWT_SECRET: undefined }
      const first = startProcess({ project, env: withoutSecret })
      const url = await first.ready()
      const [line = '', ...more] = first
        .output()
        .split('\n')
        .filter((text) => /password/i.test(text))
      assert.deepEqual(more, [])
      assert.match(line, new RegExp(adminEmail))
      const password = /password\W+(\S{8,})/i.exec(line)?.[1]?.replace(/["',.]+$/, '') ?? ''
      const admin = await signIn(url, adminEmail, password)
      assert.equal((await admin.get('/api/admin/auth/me')).body.data.mustChangePassword, true)
      assert.deepEqual(await first.end('SIGTERM'), { code: 0, signal: null })

      const second = startProcess({ project, env: withoutSecret })
      await second.ready()
      assert.doesNotMatch(second.output(), /password/i)
      assert.deepEqual(await second.end('SIGINT'), { code: 0, signal: null })
    })
  })

  it('is production unless told otherwise, and logs lines of JSON there', () =>
    withProject({ env: { NODE_ENV: 'production' } }, async (project) => {
      const service = startProcess({ project, env: { NODE_ENV: undefined } })
      await service.ready()
      for (const line of service.output().trim().split('\n'))
        assert.equal(typeof JSON.parse(line).msg, 'string')
      await service.end('SIGTERM')
    }))

  it('reports everything that is wrong with the configuration at once', async () => {
    const report = await failureOf({
      env: { NODE_ENV: 'production', DATABASE_URL: '', JWT_SECRET: 'changeme', PORT: '70000' },
    })
    for (const name of ['DATABASE_URL', 'JWT_SECRET', 'PORT'])
      assert.match(report, new RegExp(`^  ${name}: .+ → .+`, 'm'))
    assert.doesNotMatch(report, /\n\s+at /, 'no stack')
  })

  it('reports everything that is wrong with schema files, with file and remedy', async () => {
    const report = await failureOf({ schemas: { 'first.json': { kind: 'none' }, 'second.json': [] } })
    assert.match(report, /schemas\/first\.json/)
    assert.match(report, /schemas\/second\.json/)
  })

  it('names both where a plugin is off that another one needs', async () => {
    const report = await failureOf({ env: { SVC_PLUGINS_DISABLED: 'auth' } })
    assert.match(report, /plugin auth: is switched off, but content needs its service auth → switch auth on/)
  })

  it('reports a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const report = await failureOf({ env: { PORT: String(port) } })
    other.close()
    assert.match(report, new RegExp(String(port)))
  })

  it('stops and fails when an error of its own is not handled', async () => {
    const body = `init: ({ onDispose }) => {
      onDispose(() => console.log('closed in order'))
      globalThis.isBegun = true
    }`
    const config = `const timer = setInterval(() => {
      if (!globalThis.isBegun) return
      clearInterval(timer)
      Promise.reject(new Error('nobody handles me'))
    }, 10)
    export default {}`
    const files = {
      'plugins/careful/plugin.ts': pluginFile('careful', body),
      'mortise.config.mjs': config,
    }
    const output = await failureOf({ files })
    assert.match(output, /nobody handles me/)
    assert.match(output, /closed in order/)
  })

  it('ends while it still starts, when it is told to', () =>
    withProject({ files: { 'plugins/slow/plugin.ts': pluginFile('slow', slowInit) } }, async (project) => {
      const service = startProcess({ project })
      await service.writes('takes its time')
      assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
    }))
})

const slowInit = `init: () => { console.log('takes its time'); return new Promise(() => setInterval(() => {}, 1000)) }`

describe('a third-party plugin', { ...slow, concurrency: 2 }, () => {
  const hello = (name: string) => `register: ({ contribute }) => contribute(routes, defineRoute({
    name: '${name}:hello.read', method: 'GET', path: '/hello', summary: 'Says hello', access: 'open',
    handler: () => 'hello',
  }))`

  it('that fails is switched off, whatever it has declared, and the rest works', () => {
    const files = {
      'plugins/sound/plugin.ts': pluginFile('sound', hello('sound')),
      'plugins/broken/plugin.ts': pluginFile(
        'broken',
        `${hello('broken')}, boot: () => { throw new Error('bad day') }`,
      ),
    }
    return withProcess({ files }, async (service) => {
      const client = createClient(await service.ready())
      assert.equal((await client.get('/api/x/sound/hello')).body.data, 'hello')
      assert.equal((await client.get('/api/x/broken/hello')).status, 404)
      assert.match(service.output(), /broken failed in boot: bad day; it is switched off/)
    })
  })

  it('that fails stops the start where plugins are strict', async () => {
    const report = await failureOf({
      files: {
        'mortise.config.ts': 'export default { strictPlugins: true as boolean }',
        'plugins/broken/plugin.ts': pluginFile('broken', `boot: () => { throw new Error('bad day') }`),
      },
    })
    assert.match(report, /plugin broken: failed in boot: bad day/)
  })

  it('is written by create-plugin, and runs', () =>
    withProject({}, async (project) => {
      const command = [commandLine, 'create-plugin', 'my-plugin']
      const cli = spawn(process.execPath, command, {
        cwd: project.workingDirectory,
        env: { ...process.env, ...project.env },
        stdio: 'inherit',
      })
      assert.deepEqual(await once(cli, 'exit'), [0, null])
      const service = startProcess({ project })
      const admin = await service.signIn()
      assert.deepEqual((await admin.get('/api/x/my-plugin/hello')).body.data, { message: 'Hello' })
      await admin.post('/api/content/author', { name: 'Ann' })
      await service.end('SIGTERM')
      assert.match(service.output(), /an entry was created/)
    }))
})

describe('npm run dev', slow, () => {
  it('makes .env the first time, starts, and starts again when a schema file, .env or a new plugin changes', () =>
    withProject({ files: moduleProject, schemas: { 'note.json': noteSchema({}) } }, async (project) => {
      const { DATABASE_URL, JWT_SECRET, NODE_ENV, ...env } = project.env
      const child = spawn(process.execPath, [join(root, 'launch/develop.mjs')], {
        cwd: project.workingDirectory,
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exited = once(child, 'exit')
      const output = watchOutput(child)
      const addressAfter = (known?: string) =>
        output.finds((text) => {
          const address = addressIn(text)
          return address === known ? undefined : address
        })
      // Whoever starts last; one change may be seen in several parts.
      const answers = async (path: string, status: number) => {
        const response = await fetch(addressIn(output.text()) + path).catch(() => undefined)
        return response?.status === status
      }
      const noteOf = async (url: string) => {
        const admin = await signIn(url, adminEmail, project.env.DEFAULT_ADMIN_PASSWORD ?? '')
        return (await admin.post('/api/content/note', {})).body.data
      }
      try {
        const address = await addressAfter()
        assert.equal('colour' in (await noteOf(address)), false)
        const dotEnv = readFileSync(join(project.workingDirectory, '.env'), 'utf8')
        assert.match(dotEnv, /^DATABASE_URL=sqlite:\.\/data\/content\.db$/m)
        assert.match(dotEnv, /^JWT_SECRET=\S{32,}$/m)
        assert.ok(existsSync(join(project.workingDirectory, 'data/content.db')))
        project.write('schemas/note.json', JSON.stringify(noteSchema({ colour: { type: 'string' } })))
        assert.equal('colour' in (await noteOf(await addressAfter(address))), true)
        // Folders that were not there at the start.
        project.write('plugins/later/plugin.ts', pluginWithRoute('later'))
        await until(() => answers('/api/x/later', 200))
        project.write('.env', `${dotEnv}SVC_API_PREFIX=/other\n`)
        await until(() => answers('/other/x/later', 200))
      } finally {
        child.kill('SIGTERM')
        await exited
      }
    }))
})

describe('npm run dev that is killed', slow, () => {
  it('does not leave its service running', () =>
    withProject({ schemas: { 'note.json': noteSchema({}) } }, async (project) => {
      const child = spawn(process.execPath, [join(root, 'launch/develop.mjs')], {
        cwd: project.workingDirectory,
        env: { PATH: process.env.PATH, ...project.env },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const address = await watchOutput(child).finds(addressIn)
      child.kill('SIGKILL')
      await until(() =>
        fetch(`${address}/api/livez`).then(
          () => false,
          () => true,
        ),
      )
    }))
})

const pluginWithRoute = (name: string) =>
  pluginFile(
    name,
    `register({ contribute }) {
      contribute(routes, defineRoute({
        name: '${name}:thing.read', method: 'GET', path: '/', summary: 'A thing', access: 'open', handler: () => 'ok',
      }))
    }`,
  )

function noteSchema(more: object) {
  return {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { text: { type: 'text' }, ...more },
  }
}
