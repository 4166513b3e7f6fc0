import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { install, packVersions, runScript, write } from '../package/installed-project.ts'
import { type Client, createClient, expectStatus } from '../support/client.ts'
import { areServicesRequired, databasesUnderTest } from '../support/databases.ts'
import { watchOutput } from '../support/process.ts'

const run = promisify(execFile)
const repository = join(import.meta.dirname, '../..')

interface Running {
  readonly client: Client
  output(): string
  /** Resolves with a client for its next start, once it has started that often. */
  startsAgain(times: number): Promise<Client>
}

describe('a project from npm create mortise, outside the repository', () => {
  let folder: string
  let site: string
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
      const startsAgain = async (times: number) =>
        createClient(await Promise.race([output.finds((text) => addressesIn(text)[times]), ended]))
      return await work({ client: await startsAgain(0), startsAgain, output: output.text })
    } finally {
      child.kill('SIGINT')
      await exited
    }
  }

  const addressesIn = (text: string) =>
    [...text.matchAll(/Mortise is up at (http[^\s"]+)["\s]/g)].map(([, url = '']) => url)

  const greetingOf = async (client: Client) => expectStatus(await client.get('/api/x/hello'), 200).body.data

  it('has types that are right, strictly, those of its packages included', async () => {
    assert.equal(await runScript(site, 'typescript/bin/tsc'), '')
  })

  it('has tests that pass', async () => {
    const { stdout } = await run('npm', ['test'], {
      cwd: site,
      env: { PATH: process.env.PATH, HOME: folder },
    })
    assert.match(stdout, /pass 2\b/)
  })

  it('starts for production', async () => {
    await whileRunning('start', {}, async ({ client, output }) => {
      assert.deepEqual(await greetingOf(client), { message: 'Hello', articles: 0 })
      assert.match(output(), /First admin: .* password: /)
    })
    assert.ok(readdirSync(join(site, 'data')).includes('content.db'))
  })

  it('starts for development, and again after a change', async () => {
    await whileRunning('dev', {}, async ({ client, startsAgain }) => {
      assert.equal((await greetingOf(client)).message, 'Hello')
      const config = readFileSync(join(site, 'mortise.config.ts'), 'utf8')
      write(site, 'mortise.config.ts', config.replace("greeting: 'Hello'", "greeting: 'Good day'"))
      assert.equal((await greetingOf(await startsAgain(1))).message, 'Good day')
      const plugin = readFileSync(join(site, 'plugins/hello/plugin.ts'), 'utf8')
      write(
        site,
        'plugins/hello/plugin.ts',
        plugin.replace('config.greeting,', 'config.greeting.toUpperCase(),'),
      )
      assert.equal((await greetingOf(await startsAgain(2))).message, 'GOOD DAY')
    })
  })

  it('starts on PostgreSQL', async (test) => {
    const postgres = (await databasesUnderTest()).find(({ name }) => name === 'postgres')
    if (postgres === undefined) {
      assert.ok(!areServicesRequired(), 'REQUIRE_SERVICES=1, but there is no postgres server')
      return test.skip('no postgres server')
    }
    const database = await postgres.createUrl()
    try {
      await whileRunning('start', { DATABASE_URL: database.url }, async ({ client }) => {
        assert.deepEqual(await greetingOf(client), { message: 'GOOD DAY', articles: 0 })
      })
    } finally {
      await database.drop()
    }
  })
})
