import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { startProcess, withProject } from '../support/process.ts'
import type { Project, ProjectOptions } from '../support/project.ts'
import { scriptArguments } from '../support/script.ts'

const run = promisify(execFile)
const cli = join(import.meta.dirname, '../../cli/mortise.ts')

/** Runs a command in a project; answers what it prints. */
const mortise = async (project: Project, ...args: string[]) => {
  const { stdout } = await run(process.execPath, [...scriptArguments(cli), ...args], {
    cwd: project.workingDirectory,
    env: { PATH: process.env.PATH, ...project.env },
  })
  return stdout
}

/** What a command says that fails. */
async function refusal(project: Project, ...args: string[]): Promise<string> {
  const error = await mortise(project, ...args).then(
    () => assert.fail('the command did not fail'),
    (reason: Error & { code: number; stderr: string }) => reason,
  )
  assert.equal(error.code, 1)
  return error.stderr
}

const inProject = (options: ProjectOptions, work: (project: Project) => Promise<void>) => () =>
  withProject(options, work)

describe('npm run mortise', { concurrency: 2 }, () => {
  it(
    'plugins lists what is on and off and why, in start order',
    inProject(
      {
        env: { SVC_PLUGINS_DISABLED: 'docs' },
        files: {
          'mortise.config.json': '{"plugins":{"quiet":false}}',
          'plugins/quiet/plugin.js': '',
          'plugins/broken/plugin.js': 'throw new Error("bad day")',
        },
      },
      async (project) => {
        const rows = (await mortise(project, 'plugins')).trim().split('\n')
        const stateOf = (name: string) =>
          rows
            .find((row) => row.startsWith(`${name} `))
            ?.split(/\s{2,}/)
            .slice(1)
        assert.deepEqual(stateOf('docs'), ['off', 'switched off by SVC_PLUGINS_DISABLED'])
        assert.deepEqual(stateOf('quiet'), ['off', 'switched off in mortise.config.json'])
        assert.deepEqual(stateOf('broken'), ['off', 'cannot be loaded: bad day'])
        assert.equal(stateOf('content')?.[0], 'on')
        const position = (name: string) => rows.findIndex((row) => row.startsWith(`${name} `))
        assert.ok(position('config') < position('database') && position('auth') < position('content'))
      },
    ),
  )

  it(
    'plugins reports what does not fit together',
    inProject({ env: { SVC_PLUGINS_DISABLED: 'database' } }, async (project) => {
      assert.match(await refusal(project, 'plugins'), /plugin database: is switched off, but auth needs/)
    }),
  )

  it(
    'settings shows them without a database, secrets without a value',
    inProject({ env: { DATABASE_URL: '', JWT_SECRET: 'not to be shown' } }, async (project) => {
      const table = await mortise(project, 'settings')
      assert.match(
        table,
        /^\| `server\.port` \| `PORT` \| infrastructure \| integer from 0 to 65535 \| `2102` \|/m,
      )
      assert.match(table, /^\| `log\.level` \| `LOG_LEVEL` \| infrastructure \| `debug`, `info`/m)
      assert.match(table, /`jwt\.secret`/)
      assert.doesNotMatch(table, /not to be shown/)
    }),
  )

  it(
    'types writes what TypeScript accepts',
    inProject({}, async (project) => {
      assert.match(await mortise(project, 'types', 'generated/content.ts'), /Wrote generated\/content\.ts/)
      const text = readFileSync(join(project.workingDirectory, 'generated/content.ts'), 'utf8')
      assert.match(text, /export interface Article\b/)
    }),
  )

  it(
    'types and schema-files know the types of fields that plugins bring',
    inProject(
      {
        env: { SVC_PLUGINS_DIR: join(import.meta.dirname, '../../plugins') },
        schemas: {
          'label.json': {
            kind: 'collectionType',
            info: { singularName: 'label', pluralName: 'labels', displayName: 'Label' },
            attributes: { ink: { type: 'color', required: true } },
          },
        },
      },
      async (project) => {
        const textOf = (path: string) => readFileSync(join(project.workingDirectory, path), 'utf8')
        await mortise(project, 'types', 'content.ts')
        assert.match(textOf('content.ts'), /^ {2}ink: string$/m)
        await mortise(project, 'schema-files')
        assert.match(textOf('schemas/.schema/content-type.json'), /"const": "color"/)
      },
    ),
  )

  it(
    'schema-files writes what the samples point at',
    inProject({ schemas: {}, files: { 'schemas/.keep': '' } }, async (project) => {
      const written = await mortise(project, 'schema-files')
      assert.match(written, /Wrote schemas\/\.schema\/content-type\.json/)
      const path = join(project.workingDirectory, 'schemas/.schema/content-type.json')
      assert.equal(typeof JSON.parse(readFileSync(path, 'utf8')), 'object')
    }),
  )

  it(
    'create-plugin refuses bad names and plugins that are there',
    inProject({ files: { 'plugins/taken/plugin.ts': '' } }, async (project) => {
      assert.match(await refusal(project, 'create-plugin'), /missing required argument 'name'/)
      assert.match(
        await refusal(project, 'create-plugin', '../evil'),
        /\.\.\/evil cannot be its name: use kebab-case/,
      )
      assert.match(await refusal(project, 'create-plugin', 'taken'), /already exists/)
    }),
  )

  it(
    'create-plugin makes one that runs, and create-theme one that can be chosen',
    inProject({ env: { SVC_SITE_THEME: 'blue-hour' } }, async (project) => {
      assert.match(await mortise(project, 'create-plugin', 'my-plugin'), /open \/api\/x\/my-plugin\/hello/)
      assert.match(await mortise(project, 'create-theme', 'blue-hour'), /Wrote themes\/blue-hour\/theme.json/)
      assert.match(await refusal(project, 'create-theme', 'blue-hour'), /already exists/)
      assert.match(await refusal(project, 'create-theme', 'a/b'), /cannot be its name: use kebab-case/)
      // As `npm run dev` loads it, and as `npm start` does.
      assert.match(await mortise(project, 'plugins'), /^my-plugin +on +Says hello$/m)
      const service = startProcess({ project })
      const admin = await service.signIn()
      const hello = () => admin.get('/api/x/my-plugin/hello')
      assert.deepEqual((await hello()).body.data, { message: 'Hello' })
      const settings = { 'plugins.my-plugin.greeting': 'Good day' }
      assert.equal((await admin.put('/api/admin/config', settings)).status, 200)
      assert.deepEqual((await hello()).body.data, { message: 'Good day' })
      assert.equal((await admin.get('/api/admin/theme')).body.data.name, 'blue-hour')
      await service.end('SIGTERM')
    }),
  )

  it(
    'helps',
    inProject({}, async (project) => {
      for (const args of [[], ['--help']]) {
        assert.match(await mortise(project, ...args), /create-plugin <name> +writes a plugin that runs/)
      }
      assert.match(
        await mortise(project, 'types', '--help'),
        /Example:\n {2}mortise types src\/content-types\.ts/,
      )
      assert.match(await mortise(project, 'admin', '--help'), /reset-password .* sets a new password/)
      assert.equal(await refusal(project, 'plugns'), "unknown command 'plugns'\n(Did you mean plugins?)\n")
      assert.match(await refusal(project, 'admin', 'creat'), /Did you mean create\?/)
      assert.match(await refusal(project, 'admin'), /Usage: mortise admin/)
      assert.match(await refusal(project, 'plugins', 'one', 'two'), /too many arguments for 'plugins'/)
      assert.match(await refusal(project, 'plugins', '--al'), /unknown option '--al'/)
    }),
  )
})
