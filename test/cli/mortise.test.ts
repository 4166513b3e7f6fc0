import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { buildSchema } from 'graphql'
import { runCommand } from '../support/command-line.ts'
import { startProcess, withProject } from '../support/process.ts'
import type { Project, ProjectOptions } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { commandLine } from '../support/script.ts'

/** Runs a command in a project; answers what it prints. */
async function mortise(project: Project, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(project, args)
  assert.equal(code, 0, stderr)
  return stdout
}

/** What a command says that fails. */
async function refusal(project: Project, ...args: string[]): Promise<string> {
  const { code, stderr } = await runCommand(project, args)
  assert.equal(code, 1)
  return stderr
}

const middlewarePlugin = `
import {
  adminMiddleware, contentWriteMiddleware, defineAdminMiddleware, definePlugin, defineWriteMiddleware,
} from 'mortise/plugin'
export default definePlugin({
  name: 'office',
  description: 'Looks on',
  register({ contribute }) {
    const run = (_, next) => next()
    contribute(adminMiddleware, defineAdminMiddleware({ name: 'office: look', routes: 'admin:users.*', run }))
    contribute(
      contentWriteMiddleware,
      defineWriteMiddleware({ name: 'office: greet', types: 'author', operations: ['create'], run }),
    )
  },
})`

/** The example of docs/plugins.md. */
const guests = {
  'package.json': '{"type":"module"}',
  'plugins/guests/plugin.ts': exampleIn('plugins/guests/plugin.ts'),
}

const brokenPlugins = {
  ...guests,
  'plugins/bad/plugin.js': 'throw new Error("bad day")',
  'plugins/theirs/plugin.js': `
import { commands, defineCommand, definePlugin } from 'mortise/plugin'
export default definePlugin({
  name: 'theirs',
  description: 'Takes the name of another',
  register({ contribute }) {
    contribute(commands, defineCommand({ name: 'guests:steal', summary: 'steals', run: () => 'stolen' }))
  },
})`,
}

function exampleIn(file: string): string {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/plugins.md'), 'utf8')
  return guide.split(`\`\`\`ts ${file}\n`)[1]?.split('\n```')[0] ?? assert.fail(`no example ${file}`)
}

const inProject = (options: ProjectOptions, work: (project: Project) => Promise<void>) => () =>
  withProject(options, work)

describe('npm run mortise', { concurrency: 2 }, () => {
  it(
    'is a process that answers on standard output, and fails with a code and what is wrong',
    slow,
    inProject({}, async ({ workingDirectory: cwd }) => {
      const run = (...args: string[]) =>
        spawnSync(process.execPath, [commandLine, ...args], { cwd, encoding: 'utf8' })
      assert.match(run('--version').stdout, /^\d+\.\d+\.\d+\n$/)
      const { status, stdout, stderr } = run('typos')
      assert.deepEqual([status, stdout], [1, ''])
      assert.match(stderr, /^unknown command 'typos'/)
    }),
  )

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
    'types, schema-files and plugins know what plugins bring',
    slow,
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
        assert.match(
          textOf('content.ts'),
          /Declared by the plugin redirects\. \*\/\nexport interface RedirectsRule /,
        )
        assert.match(
          await mortise(project, 'plugins'),
          /^redirects +on .*\(content types: redirects-rule\)$/m,
        )
        const listed = JSON.parse(await mortise(project, 'plugins', '--json'))
        const { contentTypes } = listed.find(({ name }: { name: string }) => name === 'redirects')
        assert.deepEqual(contentTypes, ['redirects-rule'])
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
    slow,
    inProject({ env: { SVC_SITE_THEME: 'blue-hour' } }, async (project) => {
      assert.match(
        await mortise(project, 'create-plugin', 'my-plugin', '--panel'),
        /open \/api\/x\/my-plugin\/hello/,
      )
      assert.match(await mortise(project, 'create-theme', 'blue-hour'), /Wrote themes\/blue-hour\/theme.json/)
      assert.match(await refusal(project, 'create-theme', 'blue-hour'), /already exists/)
      assert.match(await refusal(project, 'create-theme', 'a/b'), /cannot be its name: use kebab-case/)
      // As npm installs the package.
      mkdirSync(join(project.workingDirectory, 'node_modules'))
      symlinkSync(join(import.meta.dirname, '../..'), join(project.workingDirectory, 'node_modules/mortise'))
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
      const [{ plugin, url, problem }] = (await admin.get('/api/admin/panel')).body.data.modules
      assert.deepEqual([plugin, problem], ['my-plugin', undefined])
      assert.equal((await admin.get(url)).status, 200)
      await service.end('SIGTERM')
    }),
  )

  it(
    'init makes what is missing and leaves the rest alone',
    inProject({ files: { 'plugins/own/plugin.js': '' } }, async (project) => {
      assert.match(await mortise(project, 'init'), /^Made \.env, routes\/, themes\/$/m)
      const path = join(project.workingDirectory, '.env')
      const text = readFileSync(path, 'utf8')
      assert.match(text, /JWT_SECRET=\S{64}/)
      assert.equal(statSync(path).mode & 0o777, 0o600)
      assert.equal(await mortise(project, 'init'), 'Everything is there already\n')
      assert.equal(readFileSync(path, 'utf8'), text)
    }),
  )

  it(
    'openapi writes the document without a database',
    slow,
    inProject({ env: { DATABASE_URL: '', JWT_SECRET: '' } }, async (project) => {
      assert.equal(await mortise(project, 'openapi', 'docs/api.json'), 'Wrote docs/api.json\n')
      const path = join(project.workingDirectory, 'docs/api.json')
      const document = JSON.parse(readFileSync(path, 'utf8'))
      assert.ok('/content/article' in document.paths, Object.keys(document.paths).join())
      assert.deepEqual(JSON.parse(await mortise(project, 'openapi', '-')), document)
      assert.ok(!existsSync(join(project.workingDirectory, 'data')))
    }),
  )

  it(
    'graphql-schema writes the schema without a database',
    slow,
    inProject({ env: { DATABASE_URL: '', JWT_SECRET: '' } }, async (project) => {
      assert.equal(await mortise(project, 'graphql-schema'), 'Wrote schema.graphql\n')
      const text = readFileSync(join(project.workingDirectory, 'schema.graphql'), 'utf8')
      assert.equal(await mortise(project, 'graphql-schema', '-'), text)
      const fields = Object.keys(buildSchema(text).getMutationType()?.getFields() ?? {})
      assert.ok(fields.includes('createArticle') && fields.includes('deleteArticle'), fields.join())
      assert.ok(!existsSync(join(project.workingDirectory, 'data')))
    }),
  )

  it(
    'graphql-schema of a subgraph is what a supergraph is composed of',
    slow,
    inProject({ env: { SVC_API_GRAPHQL_FEDERATION: 'true' } }, async (project) => {
      const text = await mortise(project, 'graphql-schema', '-')
      assert.match(text, /@link\(url: "https:\/\/specs\.apollo\.dev\/federation\//)
      assert.match(text, /type Article @key\(fields: "id"\)/)
      assert.doesNotMatch(text, /_entities|_service/)
    }),
  )

  it(
    'pipeline shows what runs, in order, and who brings it',
    slow,
    inProject(
      { files: { 'package.json': '{"type":"module"}', 'plugins/office/plugin.js': middlewarePlugin } },
      async (project) => {
        const stepsOf = async (
          ...target: string[]
        ): Promise<{ step: string; by: string; summary: string }[]> =>
          JSON.parse(await mortise(project, 'pipeline', ...target, '--json'))
        const all = (await stepsOf()).map(({ step }) => step)
        assert.deepEqual([all[0], all.at(-1)], ['check head', 'send answer'])
        const byName = await stepsOf('admin:users.update')
        const handling = byName.slice(byName.findIndex(({ step }) => step === 'run handler') + 1)
        assert.deepEqual(
          handling.slice(0, 3).map(({ step, by, summary }) => [step.trim(), by, summary]),
          [
            ['middleware', 'audit', 'audit: record admin requests'],
            ['middleware', 'office', 'office: look'],
            ['handler of admin:users.update', 'auth', 'Change an admin user'],
          ],
        )
        const byPath = await stepsOf('get /api/content/article?limit=1')
        assert.ok(byPath.some(({ step, by }) => step.trim() === 'policy content.read' && by === 'auth'))
        const writes = await stepsOf('author')
        const creating = writes.slice(0, writes.findIndex(({ step }) => step.trim() === 'operation') + 1)
        assert.match(creating[0]?.step ?? '', /^create/)
        assert.deepEqual(creating.at(-1), { step: '  operation', by: 'content', summary: 'author' })
        assert.ok(creating.some(({ by, summary }) => by === 'office' && summary === 'office: greet'))
        assert.match(
          await refusal(project, 'pipeline', 'auther'),
          /no content type auther; did you mean author\?/,
        )
        assert.match(
          await refusal(project, 'pipeline', 'GET /api/nothing'),
          /no route serves GET \/api\/nothing/,
        )
      },
    ),
  )

  it(
    'plugins add commands, which work on the database beside a running service',
    slow,
    inProject({ files: guests }, async (project) => {
      assert.match(await refusal(project, 'guests:invite', 'Ann'), /start the service once/)
      const service = startProcess({ project })
      const admin = await service.signIn()
      assert.match(await mortise(project, '--help'), /guests:invite \[options\] <names> +makes an author/)
      assert.match(await mortise(project, 'guests:invite', '--help'), /--dry-run +only says whom/)
      assert.equal(await mortise(project, 'guests:invite', 'Ann,Ben'), 'Invited Ann and Ben\n')
      const dry = await mortise(project, 'guests:invite', 'Eve', '--dry-run', '--json')
      assert.deepEqual(JSON.parse(dry), { invited: ['Eve'] })
      const authors = (await admin.get('/api/content/author?sort=name')).body.data
      assert.deepEqual(
        authors.map(({ name }: { name: string }) => name),
        ['Ann', 'Ben'],
      )
      const logs = (await admin.get('/api/admin/audit-logs?action=content.create')).body.data
      assert.equal(logs[0]?.actor?.name ?? logs[0]?.actorName, 'command line')
      assert.equal(await refusal(project, 'guests:invite', 'Ann,'), 'a name is empty\n')
      assert.match(await refusal(project, 'guests:invite'), /missing required argument 'names'/)
      assert.match(await refusal(project, 'guests:invit', 'Ann'), /Did you mean guests:invite\?/)
      await service.end('SIGTERM')
    }),
  )

  it(
    'a broken plugin costs its own commands and no others',
    inProject({ files: brokenPlugins }, async (project) => {
      const listed = await mortise(project, '--help')
      assert.match(listed, /guests:invite/)
      assert.doesNotMatch(listed, /steal|bad:/)
      assert.match(
        await refusal(project, 'theirs:steal'),
        /plugin theirs is off: .*must be named theirs:<verb>/,
      )
      assert.match(await refusal(project, 'bad:do'), /plugin bad is off: cannot be loaded: bad day/)
      assert.match(await mortise(project, 'plugins'), /^bad +off/m)
    }),
  )

  it(
    'a broken config file leaves the help and names its problem',
    inProject({ files: { 'mortise.config.json': '{' } }, async (project) => {
      const listed = await mortise(project, '--help')
      assert.match(
        listed,
        /create-plugin [^\n]*<name>[\s\S]*There may be more commands, of plugins:[\s\S]*mortise\.config\.json/,
      )
      assert.match(await refusal(project, 'shop:import'), /mortise\.config\.json/)
    }),
  )

  it(
    'helps',
    inProject({}, async (project) => {
      for (const args of [[], ['--help']]) {
        assert.match(await mortise(project, ...args), /create-plugin .*<name> +writes a plugin that runs/)
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
