import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildApp } from '../core-plugins/panel/admin-panel/build/build-app.ts'
import { findSources } from '../launch/sources.mjs'
import { translate } from '../launch/translate.mjs'
import { type Digest, digestText } from './runner/digest.ts'
import { dealToGroups, writeGroup } from './runner/groups.ts'
import { type DatabaseServers, dropReadyDatabases, startDatabaseServers } from './support/databases.ts'
import { type TranslatedTests, translateTests } from './translation/translate-tests.ts'

/*
 *   npm test -- [word …] [--all] [--coverage] [--retry]
 *
 * By itself it is what every change runs: on SQLite, without a browser, servers and tests that are marked as slow. With
 * --all everything runs, on all databases that are there; with words the files that have one of them in their path.
 * Coverage takes a tenth more of the processor. With `--retry`, a few files that fail run once more, alone: what passes
 * then is named as flaky, and is a fault to be mended, but does not hide whether the change at hand has broken something.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    retry: { type: 'boolean', default: false },
  },
})

const isWhole = values.all || positionals.length > 0
const root = join(import.meta.dirname, '..')
/** Of its own, so that several runs of one checkout do not meet. */
const temporary = mkdtempSync(join(tmpdir(), 'mortise-run-'))
const digestFile = join(temporary, 'digest.json')
const rawCoverage = join(temporary, 'coverage')
/** Where more files fail than this, chance is not to blame. */
const mostRetried = 6
/** A process that takes longer hangs, and would let the whole run hang. */
const longestProcessMs = 1_800_000
const c8 = createRequire(import.meta.url).resolve('c8/bin/c8.js')

/** The test files whose path contains one of the words, or all of them. */
function testFiles(words: readonly string[]): string[] {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => join('test', file))
  return files.filter((file) => words.length === 0 || words.some((word) => file.includes(word))).sort()
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return code ?? 1
}

async function runTests(files: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const translated = await translateTests()
  // Otherwise each of the processes that start first makes it.
  if (values.all) await translate(findSources({ root, projectFolder: root }))
  // Otherwise each of the files that run first builds it.
  if (isWhole && files.some((file) => file.includes('admin-panel'))) await buildApp()
  const sources = files.map((source) => ({ source, translation: translated.translationOf(source) }))
  // More than there are cores: there is always a file that waits for a database, the disk or a moment.
  const concurrency = availableParallelism() + 2
  const groups = dealToGroups(sources, concurrency)
  const scripts = groups.map((group, index) => writeGroup(temporary, index, group))
  const code = await run([...nodeOptions(concurrency, translated), ...scripts], env)
  const failed = failedFiles()
  if (code === 0 || !values.retry || !isWorthRetrying(failed, files)) return code
  return retry(failed, translated, env)
}

const failedFiles = () => [...new Set(readDigest().failed.map(({ file }) => file))]

/** What has not failed in a test of its own, such as a process that died, cannot be repeated alone. */
const isWorthRetrying = (failed: readonly string[], files: readonly string[]) =>
  failed.length > 0 && failed.length <= mostRetried && failed.every((file) => files.includes(file))

async function retry(files: readonly string[], translated: TranslatedTests, env: NodeJS.ProcessEnv) {
  console.log(`Run again, alone: ${files.join(', ')}`)
  const code = await run([...nodeOptions(1, translated), ...files.map(translated.translationOf)], env)
  if (code === 0) console.log(`Flaky, since they have passed the second time: ${files.join(', ')}`)
  return code
}

const readDigest = () => JSON.parse(readFileSync(digestFile, 'utf8')) as Digest

/**
 * What a process of tests saves by these is a third of the processor: it runs most code a few times, so that it is compiled at
 * once and optimised later than by default, and leaves no core idle on which threads could collect its garbage. Node 22 has a
 * compiler for code in between, and refuses the last option.
 */
const engineOptions = [
  '--always-sparkplug',
  '--single-threaded-gc',
  '--min-semi-space-size=32',
  '--max-semi-space-size=64',
  ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : []),
]

const nodeOptions = (concurrency: number, { options, translationOf }: TranslatedTests) => [
  ...options,
  ...engineOptions,
  '--test',
  `--test-timeout=${longestProcessMs}`,
  `--test-concurrency=${concurrency}`,
  ...reporter('spec', 'stdout'),
  ...reporter(translationOf('test/runner/digest.ts'), digestFile),
]

const reporter = (name: string, destination: string) => [
  `--test-reporter=${name}`,
  `--test-reporter-destination=${destination}`,
]

/** Servers are for whole runs: a quick one goes without all that is not in the repository. */
async function startServers(): Promise<DatabaseServers> {
  if (isWhole) return startDatabaseServers()
  return { env: { TEST_SCOPE: 'quick' }, skipped: [], stop: async () => undefined }
}

async function stopServers(servers: DatabaseServers) {
  await dropReadyDatabases(temporary, servers.env)
  await servers.stop()
}

const reportCoverage = () =>
  run(
    [
      c8,
      'report',
      `--temp-directory=${rawCoverage}`,
      '--reports-dir=coverage',
      '--reporter=lcov',
      '--reporter=text-summary',
      // What ran are translations in node_modules; their source maps tell what of.
      '--exclude-node-modules=false',
      '--exclude-after-remap',
      ...['kernel/**', 'core-plugins/**', 'plugins/**', 'cli/**', '*.ts'].map((glob) => `--include=${glob}`),
    ],
    process.env,
  )

process.chdir(root)
const servers = await startServers()
const code = await runTests(testFiles(positionals), {
  ...process.env,
  ...servers.env,
  TEST_RUN_FOLDER: temporary,
  ...(values.coverage ? { NODE_V8_COVERAGE: rawCoverage } : {}),
}).finally(() => stopServers(servers))
if (values.coverage) await reportCoverage()
for (const line of servers.skipped) console.log(`Skipped ${line}`)
console.log(digestText(readDigest()))
rmSync(temporary, { recursive: true, force: true })
if (!isWhole) console.log('This was the quick run; `npm test -- --all` runs everything.')
process.exitCode = code
