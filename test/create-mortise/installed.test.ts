import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { shownFiles } from '../docs/shown-files.ts'
import { install, npm, packVersions, runScript, write } from '../package/installed-project.ts'
import { type Client, createClient, expectStatus, signIn } from '../support/client.ts'
import { databasesUnderTest } from '../support/databases.ts'
import { watchOutput } from '../support/process.ts'
import { areServicesRequired, slow } from '../support/scope.ts'

const run = promisify(execFile)
const repository = join(import.meta.dirname, '../..')

interface Running {
  readonly url: string
  readonly client: Client
  output(): string
  /** Resolves with a client for its next start, once it has started that often. */
  startsAgain(times: number): Promise<Client>
}

describe('a project from npm create mortise, outside the repository', slow, () => {
  let folder: string
  let site: string
  let firstAdmin: [name: string, password: string]
  before(async () => {
    folder = await packVersions(['0.1.0'])
    await run('npm', ['pack', '--silent', '--pack-destination', folder, join(repository, 'create-mortise')])
    const [tarball = '', creator = ''] = ['mortise-', 'create-mortise-'].map((prefix) =>
      readdirSync(folder).find((name) => name.startsWith(prefix) && name.endsWith('.tgz')),
    )
    const tools = join(folder, 'tools')
    mkdirSync(tools)
    writeFileSync(join(tools, 'package.json'), '{ "private": true }')
    const options = ['--prefer-offline', '--no-audit', '--no-fund']
    await run('npm', ['install', ...options, join(folder, creator)], { cwd: tools })
    const bin = join(tools, 'node_modules/.bin/create-mortise')
    await run(bin, ['my-site', '--no-install', '--mortise', tarball], { cwd: folder })
    site = join(folder, 'my-site')
    await install(site)
    // What npm does by itself where scripts are not switched off, as they are here.
    await npm(site, 'run', 'postinstall')
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs a script of the project's package.json for as long as something works with it. */
  async function whileRunning<T>(
    script: 'dev' | 'start',
    env: Readonly<Record<string, string>>,
    work: (running: Running) => Promise<T>,
  ): Promise<T> {
    // Without npm in between, which would keep the signal to itself.
    const command = JSON.parse(readFileSync(join(site, 'package.json'), 'utf8')).scripts[script]
    const [bin, ...args] = command.split(' ')
    const child = spawn(join(site, 'node_modules/.bin', bin), args, {
      cwd: site,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, PORT: '0', ...env },
    })
    const exited = once(child, 'exit')
    const output = watchOutput(child)
    const ended = exited.then((): never => {
      throw new Error(`the service ended:\n${output.text()}`)
    })
    ended.catch(() => undefined)
    try {
      const startedAt = (times: number) =>
        Promise.race([output.finds((text) => addressesIn(text)[times]), ended])
      const startsAgain = async (times: number) => createClient(await startedAt(times))
      const url = await startedAt(0)
      return await work({ url, client: createClient(url), startsAgain, output: output.text })
    } finally {
      child.kill('SIGINT')
      await exited
    }
  }

  const addressesIn = (text: string) =>
    [...text.matchAll(/Mortise is up at (http[^\s"]+)["\s]/g)].map(([, url = '']) => url)

  async function panelModulesOf(url: string): Promise<readonly { readonly url: string }[]> {
    const admin = await signIn(url, ...firstAdmin)
    return expectStatus(await admin.get('/api/admin/panel'), 200).body.data.modules
  }

  const greetingOf = async (client: Client) => expectStatus(await client.get('/api/x/hello'), 200).body.data

  it('has types that are right, strictly, those of its packages and of panel scripts included', async () => {
    await run('npm', ['exec', '--no', '--', 'mortise', 'create-plugin', 'greeter', '--panel'], {
      cwd: site,
    })
    for (const [path, text] of Object.entries(shownFiles('panel-plugins.md'))) {
      if (path.includes('/desk/')) write(site, path, text)
    }
    write(
      site,
      'plugins/desk/style.tsx',
      "import classes from './panel.module.css'\nexport const row = classes.row",
    )
    assert.equal(await runScript(site, 'typescript/bin/tsc'), '')
  })

  it('installs no more than 200 MB, and one binary of the native server', () => {
    const modules = join(site, 'node_modules')
    const names = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    // As they take room on a disk.
    const bytes = names.reduce((sum, name) => sum + lstatSync(join(modules, name)).blocks * 512, 0)
    assert.ok(bytes <= 200 * 1024 ** 2, `${Math.round(bytes / 1024 ** 2)} MB`)
    const binaries = readdirSync(join(modules, 'uWebSockets.js')).filter((name) => name.endsWith('.node'))
    assert.deepEqual(binaries, [`uws_${process.platform}_${process.arch}_${process.versions.modules}.node`])
  })

  it('has what editors check its schema files by', async () => {
    await run('npm', ['exec', '--no', '--', 'mortise', 'schema-files'], { cwd: site })
    for (const path of ['article.json', 'components/shared.seo.json']) {
      const file = join(site, 'schemas', path)
      const { $schema } = JSON.parse(readFileSync(file, 'utf8'))
      assert.ok(existsSync(join(dirname(file), $schema)))
    }
  })

  it('has tests that pass, those next to a plugin included', async () => {
    write(
      site,
      'plugins/hello/plugin.test.ts',
      `import assert from 'node:assert/strict'
       import { it } from 'node:test'
       import hello from './plugin.ts'

       it('has a name', () => assert.equal(hello.name, 'hello'))`,
    )
    const { stdout } = await run('npm', ['test'], {
      cwd: site,
      env: { PATH: process.env.PATH, HOME: folder },
    })
    assert.match(stdout, /pass 3\b/)
  })

  it('starts for production', async () => {
    await whileRunning('start', {}, async ({ url, client, output }) => {
      assert.deepEqual(await greetingOf(client), { message: 'Hello' })
      const [, name = '', password = ''] = /First admin: (\S+).* password: (\S+)/.exec(output()) ?? []
      firstAdmin = [name, password]
      const modules = await panelModulesOf(url)
      assert.deepEqual(
        await Promise.all(modules.map(async (module) => (await fetch(url + module.url)).status)),
        [200, 200],
      )
    })
    assert.ok(readdirSync(join(site, 'data')).includes('content.db'))
  })

  it('starts for development, and again after a change', async () => {
    await whileRunning('dev', {}, async ({ url, client, startsAgain }) => {
      assert.equal((await greetingOf(client)).message, 'Hello')
      await showsChangeOfPanel(url)
      const config = readFileSync(join(site, 'mortise.config.ts'), 'utf8')
      write(site, 'mortise.config.ts', config.replace("greeting: 'Hello'", "greeting: 'Good day'"))
      assert.equal((await greetingOf(await startsAgain(1))).message, 'Good day')
      const plugin = readFileSync(join(site, 'plugins/hello/plugin.ts'), 'utf8')
      write(
        site,
        'plugins/hello/plugin.ts',
        plugin.replace('= config.greeting', '= config.greeting.toUpperCase()'),
      )
      assert.equal((await greetingOf(await startsAgain(2))).message, 'GOOD DAY')
    })
  })

  /** An open page is told to reload itself, and gets another script then. */
  async function showsChangeOfPanel(url: string) {
    const before = await panelModulesOf(url)
    const { body } = await fetch(`${url}/admin/changes`)
    assert.ok(body)
    const path = 'plugins/greeter/panel.tsx'
    write(site, path, readFileSync(join(site, path), 'utf8').replace('Say hello', 'Say it again'))
    for await (const text of body.pipeThrough(new TextDecoderStream())) if (text.includes('built')) break
    assert.notDeepEqual(await panelModulesOf(url), before)
  }

  it('starts on PostgreSQL', async (test) => {
    const postgres = (await databasesUnderTest()).find(({ name }) => name === 'postgres')
    if (postgres === undefined) {
      assert.ok(!areServicesRequired(), 'REQUIRE_SERVICES=1, but there is no postgres server')
      return test.skip('no postgres server')
    }
    const database = await postgres.createUrl()
    try {
      await whileRunning('start', { DATABASE_URL: database.url }, async ({ client }) => {
        assert.deepEqual(await greetingOf(client), { message: 'GOOD DAY' })
      })
    } finally {
      await database.drop()
    }
  })
})
