import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { it } from 'node:test'
import { runCommand } from '../support/command-line.ts'
import { startProcess, withProject } from '../support/process.ts'
import type { Project } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { commandLine } from '../support/script.ts'
import { until } from '../support/until.ts'

const unique = { type: 'string', unique: true }
const schemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: true },
    attributes: { code: unique, text: { type: 'string' }, cover: { type: 'media' } },
  },
}

const linesOf = (records: readonly object[]) => records.map((record) => JSON.stringify(record)).join('\n')

it('npm run mortise -- content import and export do what their options say', slow, () =>
  withProject({ schemas }, async (project) => {
    assert.equal((await runCommand(project, ['database', 'sync'])).code, 0)
    const run = (...args: string[]) => runCommand(project, ['content', ...args])
    const imported = async (...args: string[]) => {
      const { code, stdout, stderr } = await run('import', ...args, '--json')
      return { code, stderr, report: stdout === '' ? undefined : JSON.parse(stdout) }
    }
    const times = { published_at: '2026-01-01T00:00:00.000Z', created_at: '2020-01-01T00:00:00.000Z' }
    project.write('notes.ndjson', linesOf([{ code: 'a', text: 'One', ...times }, { code: 'b' }, { code: 7 }]))

    const trial = await imported('notes.ndjson', '--type', 'note', '--dry-run')
    assert.deepEqual([trial.code, trial.report.created, trial.report.refused], [1, 2, 1], trial.stderr)
    const first = await run('import', 'notes.ndjson', '--type', 'note', '--ignore-state')
    assert.match(
      first.stdout + first.stderr,
      /3 records: 2 created, 0 updated, 0 unchanged, 1 refused\n {2}line 3: code /,
    )
    assert.equal(first.code, 1)

    project.write(
      'again.txt',
      linesOf([
        { code: 'a', text: 'Two' },
        { code: 'c', cover: { path: 'cover.txt' } },
      ]),
    )
    project.write('cover.txt', 'the cover')
    const again = ['again.txt', '--type', 'note', '--match', 'code']
    assert.match((await run('import', ...again)).stderr, /--format must be one of ndjson, json, csv/)
    const second = await imported(...again, '--format', 'ndjson', '--publish')
    assert.deepEqual([second.code, second.report.created, second.report.updated], [0, 1, 1], second.stderr)

    project.write('outside.ndjson', linesOf([{ code: 'd', cover: { path: '../../../../etc/passwd' } }]))
    const outside = await imported('outside.ndjson', '--type', 'note')
    assert.equal(outside.report.problems[0].code, 'path')
    project.write('broken.json', `[${linesOf([{ code: 'e' }])}`)
    assert.match((await run('import', 'broken.json', '--type', 'note')).stderr, /no JSON array of records/)

    const query = 'filters[code][$ne]=b&fields=code,text,published_at,created_at'
    const written = await run('export', '--type', 'note', '--out', 'out.csv', '--query', query)
    assert.equal(written.code, 0, written.stderr)
    const [head, a] = project.read('out.csv').split('\n')
    assert.equal(head, 'id,code,text,published_at,created_at')
    assert.match(a ?? '', /^1,a,Two,20\d\d/)
    assert.doesNotMatch(a ?? '', /2020-01-01|2026-01-01/)
    const unknown = await run('export', '--type', 'note', '--media', 'url')
    assert.match(unknown.stderr, /site\.url/)
    const site = { ...project, env: { ...project.env, SVC_SITE_URL: 'https://cms.example.com' } }
    const options = ['--type', 'note', '--keys', 'natural', '--media', 'url', '--query', 'filters[code]=c']
    const media = await runCommand(site, ['content', 'export', ...options])
    assert.equal(media.code, 0, media.stderr)
    assert.match(project.read('note.ndjson'), /"cover":\{"url":"https:\/\/cms\.example\.com\/[^"]+\.txt"\}/)

    const refusals: [string[], RegExp][] = [
      [['import', 'nothing.ndjson', '--type', 'note'], /nothing\.ndjson cannot be read/],
      [['import', 'notes.ndjson'], /--type is missing/],
      [['import', 'notes.ndjson', '--type', 'nothing'], /nothing/],
      [['import', 'notes.ndjson', '--type', 'note', '--match', 'text'], /unique/],
      [['export', '--type', 'note', '--keys', 'x'], /--keys must be one of id, uuid, natural/],
      [['export', '--type', 'note', '--query', 'sort=code'], /order of ids/],
    ]
    for (const [args, message] of refusals) {
      const { code, stderr } = await run(...args)
      assert.equal(code, 1, args.join(' '))
      assert.match(stderr, message)
    }
  }),
)

/** The import as a process of its own, which can be killed. */
function startImport({ workingDirectory, env }: Project, ...options: string[]): ChildProcess {
  const command = ['content', 'import', 'many.ndjson', '--type', 'note', '--json', ...options]
  return spawn(process.execPath, [commandLine, ...command], {
    cwd: workingDirectory,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

it('an import that was killed goes on with --resume, and is not begun again by mistake', slow, () =>
  withProject({ schemas }, async (project) => {
    const service = startProcess({ project })
    try {
      const admin = await service.signIn()
      const records = Array.from({ length: 6_000 }, (_, index) => ({
        code: `n${index}`,
        text: 'One of many',
      }))
      project.write('many.ndjson', linesOf(records))
      const total = async () => (await admin.get('/api/content/note?limit=1')).body.pagination.total
      const child = startImport(project)
      const ended = once(child, 'exit')
      await until(async () => child.exitCode !== null || (await total()) > 0)
      child.kill('SIGKILL')
      await ended
      const stored = await total()
      assert.ok(stored > 0 && stored < records.length, String(stored))
      const blind = await runCommand(project, ['content', 'import', 'many.ndjson', '--type', 'note'])
      assert.match(blind.stderr, /was interrupted after \d+ records: --resume goes on, --restart begins anew/)
      const { code, stdout } = await runCommand(project, [
        ...['content', 'import', 'many.ndjson', '--type', 'note', '--json', '--resume'],
      ])
      assert.equal(code, 0)
      assert.equal(JSON.parse(stdout).created, records.length)
      assert.equal(await total(), records.length)
    } finally {
      await service.end('SIGTERM')
    }
  }),
)
